#include "report/canvas.h"

#include <math.h>
#include <stdlib.h>

wend_status tool_canvas_create(uint32_t width, uint32_t height, tool_canvas *canvas, wend_error *error) {
    size_t pixels = (size_t)width * height;
    *canvas = (tool_canvas){.width = width, .height = height};
    canvas->rgb = calloc(pixels, 3);
    canvas->mask = calloc(pixels, 1);
    if (canvas->rgb && canvas->mask) return WEND_OK;
    tool_canvas_destroy(canvas);
    return wend_fail(error, WEND_STATUS_NO_MEMORY, "no memory for a picture of %lu x %lu pixels",
                     (unsigned long)width, (unsigned long)height);
}

void tool_canvas_destroy(tool_canvas *canvas) {
    free(canvas->rgb);
    free(canvas->mask);
    *canvas = (tool_canvas){.width = 0};
}

static uint8_t mix_byte(uint8_t a, uint8_t b, float share) {
    return (uint8_t)((float)a + ((float)b - (float)a) * share + 0.5f);
}

tool_colour tool_mix(tool_colour a, tool_colour b, float share) {
    return (tool_colour){mix_byte(a.r, b.r, share), mix_byte(a.g, b.g, share), mix_byte(a.b, b.b, share)};
}

/* The byte of a linear light value. */
static uint8_t encode(double light) {
    if (light <= 0) return 0;
    if (light >= 1) return 255;
    double value = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    return (uint8_t)lround(value * 255);
}

/* The first dozen are picked by eye; then hues a golden angle apart, whose lightness takes turns. Both are
 * colours of the OKLab space (Ottosson 2020), where equal steps look equal. */
tool_colour tool_distinct_colour(size_t index) {
    static const struct {
        float lightness, chroma, hue;
    } picked[12] = {
        {0.55f, 0.22f, 262}, {0.62f, 0.20f, 40},  {0.53f, 0.14f, 152}, {0.55f, 0.24f, 328},
        {0.62f, 0.12f, 82},  {0.60f, 0.11f, 215}, {0.40f, 0.16f, 298}, {0.45f, 0.17f, 25},
        {0.68f, 0.18f, 132}, {0.36f, 0.10f, 255}, {0.68f, 0.18f, 355}, {0.40f, 0.08f, 110},
    };
    static const float lightness[3] = {0.56f, 0.62f, 0.44f}, chroma[3] = {0.21f, 0.18f, 0.16f};
    bool by_eye = index < sizeof picked / sizeof *picked;
    double light = by_eye ? picked[index].lightness : lightness[index % 3];
    double strength = by_eye ? picked[index].chroma : chroma[index % 3];
    double degrees = by_eye ? picked[index].hue : fmod(137.50776405 * (double)index, 360);
    double hue = degrees * 0.017453292519943295;
    double a = strength * cos(hue), b = strength * sin(hue);
    double l = light + 0.3963377774 * a + 0.2158037573 * b;
    double m = light - 0.1055613458 * a - 0.0638541728 * b;
    double s = light - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l, m = m * m * m, s = s * s * s;
    return (tool_colour){encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                         encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                         encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

/* Pixels [x0, x1) x [y0, y1) of the canvas. */
typedef struct pixel_box {
    uint32_t x0, y0, x1, y1;
} pixel_box;

static uint32_t clip(float value, uint32_t most) {
    if (!(value > 0)) return 0;
    return value >= (float)most ? most : (uint32_t)value;
}

static pixel_box box_around(const tool_canvas *canvas, tool_point a, tool_point b, float margin) {
    return (pixel_box){clip(fminf(a.x, b.x) - margin, canvas->width),
                       clip(fminf(a.y, b.y) - margin, canvas->height),
                       clip(fmaxf(a.x, b.x) + margin + 1, canvas->width),
                       clip(fmaxf(a.y, b.y) + margin + 1, canvas->height)};
}

/* Lays the colour over the covered pixels of a box and clears their cover, so that a pixel in two boxes of
 * one shape is painted once. */
static void paint(tool_canvas *canvas, pixel_box box, tool_colour colour, float opacity) {
    for (uint32_t y = box.y0; y < box.y1; y++)
        for (uint32_t x = box.x0; x < box.x1; x++) {
            size_t i = (size_t)y * canvas->width + x;
            if (!canvas->mask[i]) continue;
            float share = (float)canvas->mask[i] / 255 * opacity;
            canvas->mask[i] = 0;
            uint8_t *p = canvas->rgb + 3 * i;
            p[0] = mix_byte(p[0], colour.r, share);
            p[1] = mix_byte(p[1], colour.g, share);
            p[2] = mix_byte(p[2], colour.b, share);
        }
}

static void cover(tool_canvas *canvas, uint32_t x, uint32_t y, float share) {
    if (share <= 0) return;
    uint8_t amount = share >= 1 ? 255 : (uint8_t)(share * 255 + 0.5f);
    uint8_t *mask = canvas->mask + (size_t)y * canvas->width + x;
    if (*mask < amount) *mask = amount;
}

/* A segment of a line: its cover falls off over the pixel at its edge. */
static void cover_segment(tool_canvas *canvas, tool_point a, tool_point b, float half) {
    pixel_box box = box_around(canvas, a, b, half + 1);
    float dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    for (uint32_t y = box.y0; y < box.y1; y++)
        for (uint32_t x = box.x0; x < box.x1; x++) {
            float px = (float)x + 0.5f - a.x, py = (float)y + 0.5f - a.y;
            float along = length2 > 0 ? (px * dx + py * dy) / length2 : 0;
            along = along < 0 ? 0 : along > 1 ? 1 : along;
            px -= along * dx, py -= along * dy;
            cover(canvas, x, y, half + 0.5f - sqrtf(px * px + py * py));
        }
}

/* Covers, or with a colour paints, the line in short segments, whose boxes hold little but the line. */
static void each_segment(tool_canvas *canvas, const tool_point *points, size_t count, float half,
                         const tool_colour *colour, float opacity) {
    const float longest = 24;
    for (size_t i = 0; i + 1 < count; i++) {
        tool_point from = points[i], to = points[i + 1];
        float length = hypotf(to.x - from.x, to.y - from.y);
        size_t segments = (size_t)(length / longest) + 1;
        for (size_t j = 0; j < segments; j++) {
            float s = (float)j / (float)segments, t = (float)(j + 1) / (float)segments;
            tool_point a = {from.x + (to.x - from.x) * s, from.y + (to.y - from.y) * s};
            tool_point b = {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
            if (colour)
                paint(canvas, box_around(canvas, a, b, half + 1), *colour, opacity);
            else
                cover_segment(canvas, a, b, half);
        }
    }
}

void tool_canvas_line(tool_canvas *canvas, const tool_point *points, size_t count, float width,
                      tool_colour colour, float opacity) {
    each_segment(canvas, points, count, width / 2, NULL, opacity);
    each_segment(canvas, points, count, width / 2, &colour, opacity);
}

/* Whether a point, relative to the centre and as shares of the radius, is inside. */
static bool inside(tool_mark mark, float x, float y) {
    const float turn = 1.25663706f; /* a fifth of a full turn */
    switch (mark) {
    case TOOL_MARK_SQUARE:
        return fabsf(x) <= 0.75f && fabsf(y) <= 0.75f;
    case TOOL_MARK_STAR: {
        /* One half of one of the five points: an edge from the tip (radius 1) to the notch (radius 0.45). */
        float angle = fabsf(remainderf(atan2f(x, -y), turn)), radius = hypotf(x, y);
        float px = radius * cosf(angle), py = radius * sinf(angle);
        float notch_x = 0.45f * cosf(turn / 2), notch_y = 0.45f * sinf(turn / 2);
        return (1 - px) * notch_y >= py * (1 - notch_x);
    }
    default:
        return x * x + y * y <= 1;
    }
}

void tool_canvas_mark(tool_canvas *canvas, tool_mark mark, tool_point centre, float radius,
                      tool_colour colour, float opacity) {
    enum { SAMPLES = 4 }; /* each way */
    pixel_box box = box_around(canvas, centre, centre, radius + 1);
    for (uint32_t y = box.y0; y < box.y1; y++)
        for (uint32_t x = box.x0; x < box.x1; x++) {
            int hits = 0;
            for (int j = 0; j < SAMPLES; j++)
                for (int i = 0; i < SAMPLES; i++) {
                    float sx = (float)x + ((float)i + 0.5f) / SAMPLES - centre.x;
                    float sy = (float)y + ((float)j + 0.5f) / SAMPLES - centre.y;
                    hits += inside(mark, sx / radius, sy / radius);
                }
            cover(canvas, x, y, (float)hits / (SAMPLES * SAMPLES));
        }
    paint(canvas, box, colour, opacity);
}

void tool_canvas_fill(tool_canvas *canvas, uint32_t left, uint32_t top, uint32_t width, uint32_t height,
                      tool_colour colour) {
    for (uint32_t y = top; y < top + height && y < canvas->height; y++)
        for (uint32_t x = left; x < left + width && x < canvas->width; x++) {
            uint8_t *p = canvas->rgb + 3 * ((size_t)y * canvas->width + x);
            p[0] = colour.r, p[1] = colour.g, p[2] = colour.b;
        }
}
