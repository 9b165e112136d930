# Completion of multiroute for fish; the program itself says what may follow.
function __multiroute_words
    set -l words (commandline -opc)
    $words[1] complete -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c multiroute -n 'test (count (__multiroute_words)) -gt 0' -f -a '(__multiroute_words)'
