// The application log of a process whose settings have none: the entries on standard error, and a reader that is blocked.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'

const service = `
  import { identity, noun, resource, text } from '@nomen/core'
  import { open, rule, service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const rules = [
    rule(note, ['title'], ({ title }) => {
      if (title === 'wrong') throw new Error('broken'.repeat(500))
      return undefined
    }),
  ]
  const options = { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] }
  const notes = service({ name: 'notes', apis: [{ name: 'notes', options }], rules })
  const { fetch } = await open(notes, { database: 'sqlite::memory:', waitLimitMs: 0 })
  const post = async (title) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title }) }
    return (await fetch('http://notes/note', init)).status
  }
`

/** Runs a script that may post notes to the service. */
function run(script: string, redirect = '') {
  const command = [process.execPath, '--input-type=module', '--eval', service + script]
  const child = spawn('sh', ['-c', `exec "$0" "$@" ${redirect}`, ...command], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

it.each([
  ['exits', 'process.exit(3)', 3],
  ['crashes', 'setImmediate(() => { throw new Error("crash") })', 1],
])('has every entry when the process %s', async (_, end, code) => {
  const child = run(`
    const statuses = await Promise.all(Array.from({ length: 100 }, () => post('wrong')))
    console.log(statuses.filter((status) => status === 500).length)
    ${end}
  `)
  const [output, errors, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  expect([output, exitCode]).toEqual(['100\n', code])
  const entries = errors.split('\n').filter((line) => line.startsWith('{'))
  expect(entries.map((line) => JSON.parse(line))).toEqual(
    Array.from({ length: 100 }, () =>
      expect.objectContaining({ level: 'error', msg: 'A request failed.', requestId: expect.any(String) }),
    ),
  )
})

it('does not hold up requests when standard error is blocked, and counts the entries that are lost', async () => {
  const child = run(`
    for (let count = 0; count < 400; count++) await post('wrong')
    console.log(await post('right'))
    setTimeout(() => {}, 60_000)
  `)
  expect(`${(await once(child.stdout, 'data'))[0]}`).toBe('201\n')
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    errors += part
  })
  await expect.poll(() => errors).toMatch(/"Log entries were lost\."\}\n$/)
  const entries = errors
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  const { level, count } = entries.at(-1)
  expect([level, entries.length - 1 + count]).toEqual(['error', 400])
})

it.skipIf(!existsSync('/dev/full'))('does not keep the process from exiting when the disk is full', async () => {
  const child = run("await post('wrong'); setTimeout(() => process.exit(3), 200)", '2> /dev/full')
  expect(await once(child, 'exit')).toEqual([3, null])
})
