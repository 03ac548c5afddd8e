import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Relay } from './relay.ts'

/** A relay into a file, and what the file holds. */
function relayInto(flags = 'a'): { relay: Relay; faults: Error[]; text: () => string } {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'output')
  closeSync(openSync(path, 'a'))
  const file = openSync(path, flags)
  onTestFinished(() => closeSync(file))
  const faults: Error[] = []
  return { relay: new Relay(file, (error) => faults.push(error)), faults, text: () => readFileSync(path, 'utf8') }
}

describe('the output of several processes', () => {
  it('is passed on in whole lines, however it comes', async () => {
    const { relay, text } = relayInto()
    const [first, second] = [new PassThrough(), new PassThrough()]
    const ends = [relay.forward(first), relay.forward(second)]
    first.write('first of')
    second.write('a\nb\nlast of ')
    await new Promise((resolve) => setTimeout(resolve, 20))
    first.write(' one\nsecond of one\n')
    second.end('the other\n')
    first.end()
    await Promise.all(ends)
    const lines = text().split('\n')
    expect(lines.toSorted()).toEqual(['', 'a', 'b', 'first of one', 'last of the other', 'second of one'])
    expect(lines.indexOf('first of one')).toBeLessThan(lines.indexOf('second of one'))
  })

  it('ends with a complete line, even if a process is killed within one', async () => {
    const { relay, text } = relayInto()
    const [cut, broken, next] = [new PassThrough(), new PassThrough(), new PassThrough()]
    cut.end('whole\nhal')
    await relay.forward(cut)
    const end = relay.forward(broken)
    broken.write('torn')
    await new Promise((resolve) => setTimeout(resolve, 20))
    broken.destroy(new Error('gone'))
    await end
    next.end('next\n')
    await relay.forward(next)
    expect(text()).toBe('whole\nhal\ntorn\nnext\n')
  })

  it('reports once that the output cannot be written', async () => {
    const { relay, faults } = relayInto('r')
    const from = new PassThrough()
    const end = relay.forward(from)
    from.write('one\n')
    await new Promise((resolve) => setTimeout(resolve, 20))
    from.end('two\n')
    await end
    expect(faults).toHaveLength(1)
  })
})
