// The workflows of the code host: actionlint has no findings, and every npm script that they call exists.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const files = globSync('.github/workflows/*.yml', { cwd: root }).sort()
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

describe.each(files)('%s', (file) => {
  const text = readFileSync(join(root, file), 'utf8')

  it('has no findings of actionlint', async () => {
    const lint = await createLinter()
    expect(lint(text, file)).toEqual([])
  })

  it('calls npm scripts that exist', () => {
    const called = [...text.matchAll(/- run: npm (?:run )?(\S+)/g)].map(([, name]) => name)
    expect(called.filter((name) => !Object.hasOwn(scripts, `${name}`))).toEqual([])
  })
})

it('finds faults in workflows', async () => {
  const lint = await createLinter()
  const text = 'on: push\njobs:\n  test:\n    runs-on: ubuntu-none\n    steps:\n      - run: echo\n'
  expect(lint(text, 'faulty.yml').map(({ message }) => message)).toEqual([expect.stringContaining('"ubuntu-none"')])
})
