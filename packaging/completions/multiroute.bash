# Completion of multiroute for bash; the program itself says what may follow.
_multiroute() {
  local line word head words
  # bash parts words at colons, too, and then replaces only what is behind the last one.
  read -ra words <<< "${COMP_LINE:0:COMP_POINT}"
  [[ ${COMP_LINE:0:COMP_POINT} != *[[:blank:]] ]] || words+=("")
  word=${words[-1]} head=
  [[ $word != *:* ]] || head=${word%:*}:
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("${line#"$head"}"); done < <(
    "${words[0]}" complete -- "${words[@]:1}" 2> /dev/null)
  [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != */ ]] || compopt -o nospace
}
complete -o default -F _multiroute multiroute
