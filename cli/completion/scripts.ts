// What a shell is told once: that it asks the program itself for what may stand there.

/** `{…}` are the words so far, the one under the cursor the last. */
const bash = `# bash completion of megrez: source <(megrez completion bash)
_megrez() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  if [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *[/=,] ]]; then compopt -o nospace; fi
}
complete -o default -F _megrez megrez
`

const zsh = `#compdef megrez
# zsh completion of megrez: source <(megrez completion zsh), behind compinit
_megrez() {
  local -a found
  found=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)found:#}")
  if (( \${#found} == 0 )); then _files; return; fi
  compadd -S ' ' -- "\${(@)found:#*[/=,]}"
  compadd -S '' -- "\${(@M)found:#*[/=,]}"
}
compdef _megrez megrez
`

const fish = `# fish completion of megrez: megrez completion fish | source
function __megrez_complete
  set -l before (commandline -opc)
  $before[1] __complete $before[2..-1] (commandline -ct) 2>/dev/null
end
complete -c megrez -f -a '(__megrez_complete)'
complete -c megrez -n '__fish_seen_subcommand_from apply import plan delete' -F
`

export const scripts = { bash, zsh, fish } as const
