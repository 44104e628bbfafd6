// Python sequences of strings and of word numbers, checked on their way into the native core.
#pragma once
#include "rooms.hpp"
#include <nanobind/nanobind.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace headwise::bind {

// Views of the strings of a sequence, valid as long as this object.
class Strings {
 public:
  Strings(nanobind::handle sequence, const char* name) {
    if (PyUnicode_Check(sequence.ptr()) || PyBytes_Check(sequence.ptr())) {
      throw nanobind::type_error((std::string(name) + " must be a sequence of strings, not one string").c_str());
    }
    items_ = nanobind::steal<nanobind::list>(PySequence_List(sequence.ptr()));
    if (!items_.is_valid()) nanobind::raise_python_error();
    for (const auto item : items_) {
      if (!PyUnicode_Check(item.ptr())) {
        throw nanobind::type_error((std::string(name) + " must be a sequence of strings").c_str());
      }
      Py_ssize_t size = 0;
      const char* data = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
      if (!data) nanobind::raise_python_error();
      views_.emplace_back(data, static_cast<std::size_t>(size));
    }
  }

  const std::vector<std::string_view>& views() const noexcept { return views_; }

 private:
  nanobind::list items_;
  std::vector<std::string_view> views_;
};

// The type of such a sequence, for the signatures that Python shows.
#define HEADWISE_WORD_NUMBERS "collections.abc.Sequence[int] | numpy.typing.NDArray[numpy.integer[typing.Any]]"

// "float", "numpy.float64": a type with its module, unless it is built in.
inline std::string full_name(nanobind::handle type) {
  const std::string module = nanobind::str(type.attr("__module__")).c_str();
  const std::string name = nanobind::str(type.attr("__qualname__")).c_str();
  return module == "builtins" ? name : module + "." + name;
}

// Word numbers from a list or an array. True and 1.0 are not word numbers, whatever Python says.
inline std::vector<std::int32_t> word_numbers(nanobind::handle sequence, const char* name) {
  const auto fail = [&](const std::string& why) {
    throw nanobind::type_error((std::string(name) + " must be a sequence of whole numbers" + why).c_str());
  };
  const auto items = nanobind::steal<nanobind::list>(PySequence_List(sequence.ptr()));
  if (!items.is_valid()) nanobind::raise_python_error();
  std::vector<std::int32_t> numbers;
  numbers.reserve(nanobind::len(items));
  PyTypeObject* good = nullptr;  // the type of the last number: most sequences have one type only
  for (const auto item : items) {
    if (Py_TYPE(item.ptr()) != good) {
      const std::string type = full_name(item.type());
      if (PyBool_Check(item.ptr()) || type == "numpy.bool" || type == "numpy.bool_" || !PyIndex_Check(item.ptr())) {
        fail(", and one of them is a " + type);
      }
      good = Py_TYPE(item.ptr());
    }
    int overflow = 0;
    const auto whole = nanobind::steal(PyNumber_Index(item.ptr()));
    if (!whole.is_valid()) nanobind::raise_python_error();
    const long long value = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
    if (overflow != 0 || value < std::numeric_limits<std::int32_t>::min() ||
        value > std::numeric_limits<std::int32_t>::max()) {
      throw nanobind::value_error((std::string(name) + " holds a number too large for any sentence").c_str());
    }
    numbers.push_back(static_cast<std::int32_t>(value));
  }
  return numbers;
}

}  // namespace headwise::bind
