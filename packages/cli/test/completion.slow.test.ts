// What a shell completes: a real bash with the script that the command writes.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder, writeFiles } from './folder.ts'
import { nomen, root } from './nomen.ts'
import { forAll } from './over.ts'

let script = ''
const over = forAll()
beforeAll(async () => {
  script = (await nomen(['completion', 'bash'], { over })).output
})

/** What bash offers behind these words, the last of which is being written. */
function offered(...words: readonly string[]): readonly string[] {
  const folder = temporaryFolder()
  writeFiles(folder, { 'nomen.bash': script })
  const asked = `
    source nomen.bash
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _nomen
    printf '%s\\n' "\${COMPREPLY[@]}"
  `
  const found = execFileSync('bash', ['-uc', asked, 'bash', ...words], { cwd: folder, encoding: 'utf8' })
  return found.split('\n').filter((word) => word !== '')
}

describe('completion in bash', () => {
  it('offers the commands', () => {
    expect(offered('nomen', '')).toContain('serve')
    expect(offered('nomen', 'mi')).toEqual(['migrate'])
    expect(offered('nomen', 'help', 'exp')).toEqual(['export'])
    expect(offered('nomen', 'completion', '')).toEqual(['bash', 'zsh', 'fish'])
  })

  it('offers the flags of the command, and the values of those that have few', () => {
    expect(offered('nomen', 'serve', '--data')).toEqual(['--database', '--database-read'])
    expect(offered('nomen', 'migrate', '--')).toEqual(['--plan', '--apply', '--adopt', '--database', '--help'])
    expect(offered('nomen', 'lint', '--format', '')).toEqual(['text', 'json', 'sarif', 'github', 'junit'])
    expect(offered('nomen', 'lint', '--format', '=', 'js')).toEqual(['json'])
    expect(offered('nomen', 'lint', '--format', '=')).toEqual(['text', 'json', 'sarif', 'github', 'junit'])
    expect(offered('nomen', 'diff', 'old.json', 'new.json', '--versioning', 'per')).toEqual(['per-noun'])
  })

  it('leaves everything else to the files of the folder', () => {
    expect(offered('nomen', 'serve', '')).toEqual([])
    expect(offered('nomen', 'serve', '--access-log', '--')).toEqual([])
    expect(script).toMatch(/^complete -o default -F _nomen nomen$/m)
  })
})

describe('completion', () => {
  it('is written for zsh and fish from the same flags', async () => {
    const [zsh, fish] = await Promise.all([nomen(['completion', 'zsh']), nomen(['completion', 'fish'])])
    expect(zsh.output).toMatch(/^#compdef nomen\n/)
    expect(zsh.output).toContain(String.raw`'--database=[sqlite\:data/<service>.db unless given]:address:_files'`)
    expect(fish.output).toContain(
      "-n '__fish_seen_subcommand_from lint' -l format -x -a 'text json sarif github junit'",
    )
  })

  it.each([
    [[], 'nomen completion needs a shell.', 'Give one of bash, zsh, fish.'],
    [['bsh'], 'There is no completion for "bsh".', 'Did you mean "bash"?'],
    [['tcsh'], 'There is no completion for "tcsh".', 'Give one of bash, zsh, fish.'],
  ])('refuses %j', async (given, message, fix) => {
    expect(await nomen(['completion', ...given])).toMatchObject({ code: 2, errors: `nomen: ${message}\n  ${fix}\n` })
  })
})

it('has every command, and only those, in the table of docs/commands.md, with what each promises to exit with', async () => {
  const document = readFileSync(join(root, 'docs/commands.md'), 'utf8')
  const rows = [...document.matchAll(/^\| `nomen (\S+?)`.*\| 0 .*\| 1 .*\|$/gm)].map(([, name]) => name)
  const { output } = await nomen(['--help'])
  expect(rows).toEqual([...output.matchAll(/^ {2}(\S+) {2,}/gm)].map(([, name]) => name))
})
