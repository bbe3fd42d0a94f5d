# Prints the lines of a help text that are wrapped badly: over 100 columns, or cut although the first word of
# the next line would have fitted. The usage is left out: it breaks between options.
/^Example:/ { exit }
length > 100 { print }
{
    indent = match($0, /[^ ]/) - 1
    goes_on = (indent == 28 && (last_indent == 28 || last_indent == 2)) || (indent == 0 && last_indent == 0)
    if (goes_on && body && last !~ /[.;:)]$/ && length(last) + 1 + length($1) <= 100) print last " | " $1
    if (/^$/) body = seen_usage
    if (/^usage:/) { seen_usage = 1; body = 0 }
    # Lines that are a row of a table inside a text stand alone.
    last = /=[^ ]*  +[^ ]/ && indent == 28 ? "" : $0
    last_indent = last == "" ? -1 : indent
}
