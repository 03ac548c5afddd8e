// Pages are followed to the letter: what is on them is done, and what is not so is found.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { follow } from './follow.ts'

type Written = readonly [language: string, code: string, lead?: string]

/** A page of these blocks: language, code, and the line above where one matters. */
function page(...blocks: readonly Written[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'page.md')
  writeFileSync(
    path,
    blocks.map(([language, code, lead = 'Then:']) => `${lead}\n\n\`\`\`${language}\n${code}\n\`\`\`\n`).join('\n'),
  )
  return path
}

it('does all that a page says, in one place', async () => {
  const path = page(
    ['sh', 'mkdir desk && cd desk\nexport GREETING="good\nmorning"'],
    ['json', '{ "type": "module" }', 'In `package.json`:'],
    ['ts', '// main.ts\nexport const year = 2026\nconsole.log(year)'],
    ['console', '$ node main.ts\n2026\n$ echo "$GREETING"; \\\n  pwd | xargs basename\ngood\nmorning\ndesk'],
    [
      'diff',
      ' // main.ts\n-export const year = 2026\n+export const year = 2027\n …\n console.log(year)\n+console.log("done")',
    ],
    ['sh', 'node main.ts'],
    ['text', '2027\ndone'],
    ['sh', 'echo http://127.0.0.1:3000 >&2; false'],
    ['text', 'http://127.0.0.1:3000'],
    ['sh', 'tail -n 2 main.ts'],
    ['ts', 'console.log(year)\nconsole.log("done")'],
  )
  await using followed = await follow(path)
  expect(followed.address('http://127.0.0.1:3000')).not.toContain('3000')
  expect(await followed.run('cat main.ts')).toContain('2027')
})

const faults: [string, readonly Written[], string][] = [
  ['a block that is nothing', [['ts', 'const noName = 1']], 'page.md:3: Nobody knows what to do with this block (ts)'],
  ['output of nothing', [['json', '{}']], 'Nobody knows what to do'],
  ['a command that fails', [['sh', 'true\nfalse\ntrue']], 'false\nends with 1'],
  ['a program that nobody has installed', [['sh', 'npx nomen --help']], 'ends with 127'],
  ['a command that ends the shell', [['sh', 'exit 0']], 'has ended the shell itself'],
  [
    'another output',
    [
      ['sh', 'echo 1'],
      ['text', '2'],
    ],
    'page.md:9: What came is not what is shown.',
  ],
  ['another output in a console', [['console', '$ echo 1\n2']], 'What came is not what is shown.'],
  [
    'a change of what is not there',
    [
      ['ts', '// a.ts\nexport {}'],
      ['diff', ' // a.ts\n-b\n+c'],
    ],
    'no place for this change',
  ],
  ['a package that nobody has', [['sh', 'npm install left-pad-2']], '"left-pad-2" is not in this checkout'],
  ['what does not compile', [['ts', "// a.ts\nexport const year: number = '2026'"]], 'a.ts(2,14): error TS2322'],
  ['an import of what is not installed', [['ts', "// a.ts\nimport '@nomen/core'"]], 'error TS'],
  [
    'a fence within a list',
    [
      ['sh', 'true'],
      ['sh', 'true\n```\n\n  ```sh\n  rm\n  ```\n\n```sh'],
    ],
    'begin the line with the fence',
  ],
]

it.each(faults)('finds %s', async (_, blocks, told) => {
  await expect(follow(page(...blocks))).rejects.toThrow(told)
})
