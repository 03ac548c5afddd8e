// Shell completion: a real bash with the script of the command.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder, writeFiles } from './folder.ts'
import { nomen, root } from './nomen.ts'
import { forAll } from './over.ts'

let script = ''
const onCleanup = forAll()
beforeAll(async () => {
  script = (await nomen(['completion', 'bash'], { onCleanup })).output
})

/** The completions of bash for these words; the last word is incomplete. */
function completionsFor(...words: readonly string[]): readonly string[] {
  const folder = temporaryFolder()
  writeFiles(folder, { 'nomen.bash': script })
  const options = `
    source nomen.bash
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _nomen
    printf '%s\\n' "\${COMPREPLY[@]}"
  `
  const output = execFileSync('bash', ['-uc', options, 'bash', ...words], { cwd: folder, encoding: 'utf8' })
  return output.split('\n').filter((word) => word !== '')
}

describe('completion in bash', () => {
  it('offers the commands', () => {
    expect(completionsFor('nomen', '')).toContain('serve')
    expect(completionsFor('nomen', 'mi')).toEqual(['migrate'])
    expect(completionsFor('nomen', 'help', 'exp')).toEqual(['export', 'explain'])
    expect(completionsFor('nomen', 'completion', '')).toEqual(['bash', 'zsh', 'fish'])
  })

  it('offers the flags of the command, and the values of flags with few values', () => {
    expect(completionsFor('nomen', 'serve', '--database-')).toEqual([
      '--database-direct',
      '--database-read',
      '--database-connections',
      '--database-max-life',
      '--database-idle-timeout',
    ])
    expect(completionsFor('nomen', 'migrate', '--')).toEqual([
      '--plan',
      '--expand',
      '--contract',
      '--apply',
      '--yes',
      '--adopt',
      '--database',
      '--help',
    ])
    expect(completionsFor('nomen', 'lint', '--format', '')).toEqual(['text', 'json', 'sarif', 'github', 'junit'])
    expect(completionsFor('nomen', 'lint', '--format', '=', 'js')).toEqual(['json'])
    expect(completionsFor('nomen', 'lint', '--format', '=')).toEqual(['text', 'json', 'sarif', 'github', 'junit'])
    expect(completionsFor('nomen', 'diff', 'old.json', 'new.json', '--versioning', 'per')).toEqual(['per-noun'])
  })

  it('offers the files of the folder otherwise', () => {
    expect(completionsFor('nomen', 'serve', '')).toEqual([])
    expect(completionsFor('nomen', 'serve', '--access-log', '--')).toEqual([])
    expect(script).toMatch(/^complete -o default -F _nomen nomen$/m)
  })
})

describe('completion', () => {
  it('is written for zsh and fish from the same flags', async () => {
    const [zsh, fish] = await Promise.all([nomen(['completion', 'zsh']), nomen(['completion', 'fish'])])
    expect(zsh.output).toMatch(/^#compdef nomen\n/)
    expect(zsh.output).toContain(
      String.raw`'--database=[database URL (default\: sqlite\:data/<service>.db)]:URL:_files'`,
    )
    expect(fish.output).toContain(
      "-n '__fish_seen_subcommand_from lint' -l format -x -a 'text json sarif github junit'",
    )
  })

  it.each([
    [[], 'completion needs a shell.', 'Use bash, zsh or fish.'],
    [['bsh'], 'Unknown shell "bsh".', 'Did you mean "bash"?'],
    [['tcsh'], 'Unknown shell "tcsh".', 'Use bash, zsh or fish.'],
  ])('rejects %j', async (args, message, fix) => {
    expect(await nomen(['completion', ...args])).toMatchObject({ code: 2, errors: `nomen: ${message}\n  ${fix}\n` })
  })
})

it('matches the table of docs/commands.md: all commands with their exit codes', async () => {
  const document = readFileSync(join(root, 'docs/commands.md'), 'utf8')
  const rows = [...document.matchAll(/^\| `nomen (\S+?)` \|(?: [^|]+ \|){3}$/gm)].map(([, name]) => name)
  const { output } = await nomen(['--help'])
  expect(rows).toEqual([...output.matchAll(/^ {2}(\S+) {2,}/gm)].map(([, name]) => name))
})
