"""The steps of the training of a pipeline; `headwise.training.pipeline_training` has their order."""
