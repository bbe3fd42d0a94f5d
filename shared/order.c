#include "shared/order.h"

#include <stdint.h>

int shared_by_double(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

int shared_by_float(const void *a, const void *b) {
    float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

int shared_by_uint32(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}
