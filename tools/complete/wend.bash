# Completion of `wend` for bash: the command itself says which words fit.
_wend() {
    local line=${COMP_LINE:0:COMP_POINT} word piece=${COMP_WORDS[COMP_CWORD]} words
    read -ra words <<<"$line"
    [[ $line != *[[:blank:]] ]] || words+=('')
    word=${words[${#words[@]} - 1]}
    mapfile -t COMPREPLY < <("${words[0]}" help --complete "${words[@]:1}" 2>/dev/null)
    # A word that goes on, as `cpd:db=`, gets no blank behind it.
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *[:=,/] ]] || compopt -o nospace 2>/dev/null
    # bash takes words apart at `:` and `=`, and wants the last piece alone.
    [[ $piece != [:=] ]] || piece=
    [[ $piece == "$word" ]] || COMPREPLY=("${COMPREPLY[@]#"${word%"$piece"}"}")
}
complete -o default -F _wend wend
