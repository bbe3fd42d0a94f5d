/* A report as one page: style, script and figures inside, nothing loaded from anywhere. Without scripts the
 * tables and checks are all there; only the plots are missing. */
#include "json_out.h"
#include "report_files.h"
#include "report_parts.h"

#include <math.h>
#include <string.h>
#include <wend/base.h>

static const char page_style[] =
    ":root{--paper:#fff;--ink:#1b1f24;--faint:#667080;--line:#d8dee6;--band:#f5f7fa;--pass:#0b6e4f;"
    "--fail:#b3261e;--other:#667080}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#14171b;--ink:#e6e9ee;--faint:#97a1af;--line:#333a44;"
    "--band:#1b1f25;--pass:#4cc38a;--fail:#ff8a80;--other:#97a1af}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,\"Segoe "
    "UI\",Roboto,"
    "\"Helvetica Neue\",Arial,sans-serif}\n"
    "main{max-width:56rem;margin:0 auto;padding:1.5rem 1rem 3rem}\n"
    "h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}\n"
    "h2{font-size:1.1rem;margin:2rem 0 .6rem}\n"
    "p{margin:.6rem 0}\n"
    ".checks{list-style:none;margin:0;padding:0}\n"
    ".checks li{padding:.45rem 0 .45rem .8rem;border-left:4px solid var(--other);margin:.4rem 0;"
    "background:var(--band)}\n"
    ".checks b{margin-right:.5rem;color:var(--other);white-space:nowrap}\n"
    ".checks .pass{border-color:var(--pass)}.checks .pass b{color:var(--pass)}\n"
    ".checks .fail{border-color:var(--fail)}.checks .fail b{color:var(--fail)}\n"
    ".wide{overflow-x:auto;-webkit-overflow-scrolling:touch}\n"
    "table.figures{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem}\n"
    ".figures th,.figures td{padding:.25rem .7rem;text-align:right;white-space:nowrap}\n"
    ".figures th{border-bottom:2px solid var(--line);font-weight:600;vertical-align:bottom}\n"
    ".figures .left{text-align:left}\n"
    ".figures .faint,.figures small{color:var(--faint)}\n"
    ".figures tr.apart td{border-top:1px solid var(--line)}\n"
    ".figures tbody tr:first-child td{border-top:0}\n"
    ".settings{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:0}\n"
    ".settings dt{color:var(--faint)}.settings dd{margin:0;overflow-wrap:anywhere}\n"
    ".plot{margin:.5rem 0 1.5rem}\n"
    ".trails{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,25rem),1fr));gap:1rem}\n"
    ".trails figure{margin:0}.trails img{width:100%;height:auto;display:block;border:1px solid var(--line)}\n"
    ".trails figcaption{font-size:.85rem;color:var(--faint)}\n"
    ".plot .u-legend{text-align:left;color:var(--ink)}\n"
    "footer{margin-top:2.5rem;color:var(--faint);font-size:.85rem}\n"
    "@media(max-width:36rem){.figures th,.figures td{padding:.25rem .25rem}.figures{font-size:.8rem}\n"
    ".figures small{display:block}}\n";

/* Draws every plot as wide as its place, again when that changes. */
static const char page_script[] =
    "(function(){\n"
    "var plots=JSON.parse(document.getElementById('plots').textContent);\n"
    "var colours=['#0072b2','#d55e00','#009e73','#cc79a7','#e69f00','#56b4e9','#8a8a8a'];\n"
    "function variable(name){\n"
    " return getComputedStyle(document.documentElement).getPropertyValue(name).trim();\n"
    "}\n"
    "function ink(){return variable('--ink');}\n"
    "function line(){return variable('--line');}\n"
    "function shown(u,value){return value==null?'':String(+value.toFixed(Math.abs(value)<10?3:1));}\n"
    "function axis(label,size){\n"
    " return{label:label,size:size,stroke:ink,grid:{stroke:line,width:1},ticks:{stroke:line,width:1}};\n"
    "}\n"
    "function draw(plot,index){\n"
    " var place=document.getElementById('plot'+index);\n"
    " function size(){\n"
    "  var width=place.clientWidth;\n"
    "  return{width:width,height:Math.round(Math.max(260,Math.min(420,width*.55)))};\n"
    " }\n"
    " function colour(i){return colours[plot.lines[i-1].colour%colours.length];}\n"
    " var series=[{label:plot.x_label,value:shown}];\n"
    " plot.lines.forEach(function(line,i){\n"
    "  series.push({label:line.label,value:shown,stroke:colour(i+1),width:line.dashed?1.5:2.5,\n"
    "   dash:line.dashed?[6,5]:undefined,spanGaps:plot.scatter,\n"
    "   points:{show:plot.scatter||!line.dashed,size:line.dashed?5:7,fill:colour(i+1)}});\n"
    " });\n"
    " var first=plot.x[0],last=plot.x[plot.x.length-1],space=(last-first||1)*.04;\n"
    " var across=axis(plot.x_label,44);\n"
    " var scales={x:{time:false,range:[first-space,last+space]},y:{}};\n"
    " if(plot.scatter){\n"
    "  if(plot.log_x)scales.x={time:false,distr:3,range:[first/1.25,last*1.25]};\n"
    "  if(plot.log_y)scales.y={distr:3};\n"
    " }else{\n"
    "  across.splits=function(){return plot.x;};\n"
    "  across.values=function(u,splits){return splits.map(String);};\n"
    " }\n"
    " var options={series:series,axes:[across,axis(plot.y_label,58)],scales:scales,\n"
    "  cursor:{drag:{setScale:false,x:false}},\n"
    "  legend:{markers:{\n"
    "   dash:function(u,i){return i&&plot.lines[i-1].dashed?'dashed':'solid';},\n"
    "   fill:function(u,i){return i&&!plot.lines[i-1].dashed?colour(i):'transparent';}}}};\n"
    " var data=[plot.x].concat(plot.lines.map(function(line){return line.y;}));\n"
    " var chart=new uPlot(Object.assign(options,size()),data,place);\n"
    " addEventListener('resize',function(){chart.setSize(size());});\n"
    " matchMedia('(prefers-color-scheme:dark)').addEventListener('change',function(){\n"
    "  chart.redraw(false,true);\n"
    " });\n"
    "}\n"
    "plots.forEach(draw);\n"
    "})();\n";

static void write_escaped(FILE *file, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '&':
            (void)fputs("&amp;", file);
            break;
        case '<':
            (void)fputs("&lt;", file);
            break;
        case '>':
            (void)fputs("&gt;", file);
            break;
        case '"':
            (void)fputs("&quot;", file);
            break;
        default:
            (void)fputc(*text, file);
        }
    }
}

static void write_element(FILE *file, const char *name, const char *text) {
    (void)fprintf(file, "<%s>", name);
    write_escaped(file, text);
    (void)fprintf(file, "</%s>\n", name);
}

/* A string inside a script: JSON, with no '<' that could end the script. */
static void write_script_string(FILE *file, const char *text) {
    (void)fputc('"', file);
    for (; *text; text++) {
        unsigned char letter = (unsigned char)*text;
        if (letter < 0x20 || strchr("\"\\<>&", letter))
            (void)fprintf(file, "\\u%04x", (unsigned)letter);
        else
            (void)fputc(letter, file);
    }
    (void)fputc('"', file);
}

static void write_numbers(FILE *file, const double *numbers, size_t count) {
    (void)fputc('[', file);
    for (size_t i = 0; i < count; i++) {
        if (i) (void)fputc(',', file);
        tool_json_number(file, numbers[i]);
    }
    (void)fputc(']', file);
}

static void write_plot_data(FILE *file, const tool_report *report) {
    (void)fputs("<script type=\"application/json\" id=\"plots\">[", file);
    for (size_t i = 0; i < report->plot_count; i++) {
        const tool_report_plot *plot = report->plots[i];
        (void)fputs(i ? ",\n{\"x_label\":" : "\n{\"x_label\":", file);
        write_script_string(file, plot->x_label);
        (void)fputs(",\"y_label\":", file);
        write_script_string(file, plot->y_label);
        if (plot->scatter)
            (void)fprintf(file, ",\"scatter\":true,\"log_x\":%s,\"log_y\":%s", plot->log_x ? "true" : "false",
                          plot->log_y ? "true" : "false");
        (void)fputs(",\"x\":", file);
        write_numbers(file, plot->x, plot->count);
        (void)fputs(",\"lines\":[", file);
        for (size_t j = 0; j < plot->line_count; j++) {
            const report_line *line = &plot->lines[j];
            (void)fputs(j ? ",\n {\"label\":" : "\n {\"label\":", file);
            write_script_string(file, line->label);
            (void)fprintf(file, ",\"colour\":%d,\"dashed\":%s,\"y\":", line->colour,
                          line->dashed ? "true" : "false");
            write_numbers(file, line->y, plot->count);
            (void)fputc('}', file);
        }
        (void)fputs("]}", file);
    }
    (void)fputs("]</script>\n", file);
}

static void write_cell(FILE *file, const report_column *column, const report_cell *cell) {
    (void)fprintf(file, "<td class=\"%s%s\">", column->left ? "left" : "", column->faint ? " faint" : "");
    report_cell plain = *cell;
    plain.margin = NAN; /* smaller, and on a phone below */
    write_escaped(file, tool_report_show(&plain).text);
    if (isfinite(cell->number) && isfinite(cell->margin))
        (void)fprintf(file, " <small>±%.*f</small>", cell->decimals, cell->margin);
    (void)fputs("</td>", file);
}

static void write_table(FILE *file, const tool_report_table *table) {
    write_element(file, "h2", table->title);
    (void)fputs("<div class=\"wide\"><table class=\"figures\"><thead><tr>", file);
    for (size_t i = 0; i < table->column_count; i++) {
        (void)fprintf(file, "<th class=\"%s%s\">", table->columns[i].left ? "left" : "",
                      table->columns[i].faint ? " faint" : "");
        write_escaped(file, table->columns[i].head);
        (void)fputs("</th>", file);
    }
    (void)fputs("</tr></thead><tbody>\n", file);
    for (size_t row = 0; row < table->row_count; row++) {
        (void)fputs(table->apart[row] ? "<tr class=\"apart\">" : "<tr>", file);
        for (size_t i = 0; i < table->column_count; i++)
            write_cell(file, &table->columns[i], &table->cells[row * table->column_count + i]);
        (void)fputs("</tr>\n", file);
    }
    (void)fputs("</tbody></table></div>\n", file);
}

static void write_checks(FILE *file, const tool_report *report) {
    if (!report->check_count) return;
    (void)fputs("<h2>Checks</h2>\n<ul class=\"checks\">\n", file);
    for (size_t i = 0; i < report->check_count; i++) {
        const report_check *check = &report->checks[i];
        (void)fprintf(file, "<li class=\"%s\"><b>%s</b>", tool_report_verdict_key(check->verdict),
                      tool_report_verdict_text(check->verdict));
        write_escaped(file, check->words);
        (void)fputs("</li>\n", file);
    }
    (void)fputs("</ul>\n", file);
}

static void write_gallery(FILE *file, const tool_report_gallery *gallery) {
    write_element(file, "h2", gallery->title);
    (void)fputs("<div class=\"trails\">\n", file);
    for (size_t i = 0; i < gallery->count; i++) {
        const report_picture *picture = &gallery->pictures[i];
        (void)fputs("<figure><img alt=\"", file);
        write_escaped(file, picture->caption);
        (void)fputs("\" src=\"data:image/png;base64,", file);
        tool_report_write_base64(file, picture->png, picture->size);
        (void)fputs("\">", file);
        write_element(file, "figcaption", picture->caption);
        (void)fputs("</figure>\n", file);
    }
    (void)fputs("</div>\n", file);
}

static void write_settings(FILE *file, const tool_report *report) {
    (void)fputs("<h2>Settings</h2>\n<dl class=\"settings\">\n", file);
    for (size_t i = 0; i < report->setting_count; i++) {
        const report_setting *setting = &report->settings[i];
        (void)fputs("<dt>", file);
        for (const char *p = setting->key; *p; p++) {
            char letter[2] = {(char)(*p == '_' ? ' ' : *p), 0};
            write_escaped(file, letter);
        }
        (void)fputs("</dt><dd>", file);
        if (setting->text)
            write_escaped(file, setting->text);
        else if (setting->flag)
            (void)fputs(setting->number != 0 ? "yes" : "no", file);
        else
            (void)fprintf(file, "%.15g", setting->number);
        (void)fputs("</dd>\n", file);
    }
    (void)fputs("</dl>\n", file);
}

/* The script without the comment of its first line, which names an address. */
static void write_uplot(FILE *file) {
    const unsigned char *script = tool_uplot_script;
    size_t size = tool_uplot_script_size;
    const unsigned char *end = size > 3 && memcmp(script, "/*!", 3) == 0 ? memchr(script, '\n', size) : NULL;
    if (end) size -= (size_t)(end + 1 - script), script = end + 1;
    (void)fputs("<!-- The plots are drawn by uPlot, which comes under this licence:\n", file);
    (void)fwrite(tool_uplot_licence, 1, tool_uplot_licence_size, file);
    (void)fputs("\n-->\n<script>\n", file);
    (void)fwrite(script, 1, size, file);
    (void)fputs("\n</script>\n<script>\n", file);
    (void)fputs(page_script, file);
    (void)fputs("</script>\n", file);
}

void tool_report_write_html(FILE *file, const tool_report *report) {
    (void)fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n",
                file);
    write_element(file, "title", report->title);
    (void)fputs("<style>\n", file);
    (void)fwrite(tool_uplot_style, 1, tool_uplot_style_size, file);
    (void)fputs("\n", file);
    (void)fputs(page_style, file);
    (void)fputs("</style>\n</head>\n<body>\n<main>\n", file);
    write_element(file, "h1", report->title);
    for (size_t i = 0; i < report->note_count; i++) write_element(file, "p", report->notes[i]);
    write_checks(file, report);
    for (size_t i = 0; i < report->plot_count; i++) {
        write_element(file, "h2", report->plots[i]->title);
        (void)fprintf(file, "<div class=\"plot\" id=\"plot%zu\"></div>\n", i);
    }
    for (size_t i = 0; i < report->table_count; i++) write_table(file, report->tables[i]);
    for (size_t i = 0; i < report->gallery_count; i++) write_gallery(file, report->galleries[i]);
    write_settings(file, report);
    (void)fprintf(file, "<footer>Written by wend %s.</footer>\n</main>\n", wend_version());
    if (report->plot_count) {
        write_plot_data(file, report);
        write_uplot(file);
    }
    (void)fputs("</body>\n</html>\n", file);
}
