/* Pictures of a report: kept as the bytes of PNG files, written beside it and into its page. */
#include "cli/tool.h"
#include "formats/files.h"
#include "report/parts.h"

#include <stdlib.h>
#include <string.h>

tool_report_gallery *tool_report_add_gallery(tool_report *report, const char *title) {
    tool_report_gallery **galleries =
        tool_report_grown(report, report->galleries, report->gallery_count, sizeof(void *));
    if (!galleries) return NULL;
    report->galleries = galleries;
    tool_report_gallery *gallery = calloc(1, sizeof *gallery);
    if (!gallery) {
        report->failed = true;
        return NULL;
    }
    *gallery = (tool_report_gallery){.report = report, .title = tool_report_copied(report, title)};
    tool_report_add_section(report, REPORT_GALLERY, report->gallery_count);
    galleries[report->gallery_count++] = gallery;
    return gallery;
}

static void add_picture(tool_report_gallery *gallery, const char *file, const char *caption, const void *png,
                        size_t size) {
    if (!gallery) return;
    tool_report *report = gallery->report;
    report_picture *pictures = tool_report_grown(report, gallery->pictures, gallery->count, sizeof *pictures);
    if (!pictures) return;
    gallery->pictures = pictures;
    report_picture picture = {.file = tool_report_copied(report, file),
                              .caption = tool_report_copied(report, caption),
                              .png = png ? malloc(size ? size : 1) : NULL,
                              .size = size};
    if (!picture.file || !picture.caption || (png && !picture.png)) {
        report->failed = true;
        free(picture.file);
        free(picture.caption);
        free(picture.png);
        return;
    }
    if (size) memcpy(picture.png, png, size);
    pictures[gallery->count++] = picture;
}

void tool_report_add_picture(tool_report_gallery *gallery, const char *file, const char *caption,
                             const void *png, size_t size) {
    add_picture(gallery, file, caption, png, size);
}

void tool_report_show_file(tool_report_gallery *gallery, const char *link, const char *caption) {
    add_picture(gallery, link, caption, NULL, 0);
}

void tool_report_destroy_gallery(tool_report_gallery *gallery) {
    for (size_t i = 0; i < gallery->count; i++) {
        free(gallery->pictures[i].file);
        free(gallery->pictures[i].caption);
        free(gallery->pictures[i].png);
    }
    free(gallery->pictures);
    free(gallery->title);
    free(gallery);
}

bool tool_report_write_pictures(const tool_report *report, const char *folder, bool quiet) {
    for (size_t i = 0; i < report->gallery_count; i++)
        for (size_t j = 0; j < report->galleries[i]->count; j++) {
            const report_picture *picture = &report->galleries[i]->pictures[j];
            if (!picture->png) continue;
            char path[4096 + 128];
            (void)snprintf(path, sizeof path, "%s/%s", folder, picture->file);
            if (!tool_write_file(path, picture->png, picture->size)) return false;
            if (!quiet) printf("written: %s\n", path);
        }
    return true;
}

void tool_report_write_base64(FILE *file, const unsigned char *data, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        unsigned bits = (unsigned)data[i] << 16;
        if (i + 1 < size) bits |= (unsigned)data[i + 1] << 8;
        if (i + 2 < size) bits |= data[i + 2];
        char text[4] = {digits[bits >> 18], digits[bits >> 12 & 63],
                        i + 1 < size ? digits[bits >> 6 & 63] : '=', i + 2 < size ? digits[bits & 63] : '='};
        (void)fwrite(text, 1, sizeof text, file);
    }
}
