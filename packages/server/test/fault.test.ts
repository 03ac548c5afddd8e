// Faults of a service's own code, and of what is told of them: whatever is thrown, the service goes on.
import { api, identity, noun, ProblemError, problem, resource, text } from '@nomen/core'
import { applicationLog, rule, type Settings, service } from '@nomen/server'
import { describe, expect, it } from 'vitest'
import { opened } from './opened.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })

/** An error as clients of other services throw them: with all that belongs to it. */
function withRequest(): Error {
  const request: { socket?: object } = {}
  request.socket = { request }
  return new Error('The rate cannot be read.', { cause: request })
}

const broken = problem('rule-broken', { detail: 'The rate cannot be read.' })
const faults: { readonly [title: string]: () => Error } = {
  wrong: withRequest,
  'a status that no answer has': () => new ProblemError({ ...broken, status: 42 }),
  'a status that is not its own': () => new ProblemError({ ...broken, status: 204 }),
  'a code that nobody knows': () => new ProblemError({ ...broken, code: 'teapot' as never }),
  'what JSON cannot hold': () => new ProblemError({ ...broken, about: withRequest().cause } as never),
}

const rules = [
  rule(note, ['title'], ({ title }) => {
    if (title in faults) throw faults[title]?.()
    return undefined
  }),
]

async function openedWith(settings: Partial<Settings>) {
  const events: string[] = []
  const write = (line: string) => events.push(line)
  const given = service({ name: 'notes', apis: [notes], rules })
  const { ask } = await opened(given, { ...settings, log: applicationLog({ isPlain: false, write }) })
  const post = async (title: string) => (await ask('POST', '/note', { title })).status
  return { post, events }
}

describe('a fault', () => {
  it('that leads back to itself is answered 500 and logged, and the next request is served', async () => {
    const { post, events } = await openedWith({})
    expect([await post('wrong'), await post('right')]).toEqual([500, 201])
    expect(events).toEqual([expect.stringContaining('The rate cannot be read.')])
  })

  it.each(Object.keys(faults).slice(1))('is a problem with %s: it is answered 500, and logged', async (title) => {
    const { post, events } = await openedWith({})
    expect([await post(title), await post('right')]).toEqual([500, 201])
    expect(events).toEqual([expect.stringContaining('The rate cannot be read.')])
  })

  it.each<[string, NonNullable<Settings['onFault']>]>([
    [
      'throws',
      () => {
        throw new Error('No mail today.')
      },
    ],
    ['rejects', () => Promise.reject(new Error('No mail today.'))],
  ])('is logged where the listener %s, and so is the fault of the listener', async (_, onFault) => {
    const { post, events } = await openedWith({ onFault })
    expect([await post('wrong'), await post('right')]).toEqual([500, 201])
    expect(events).toEqual([
      expect.stringContaining('The rate cannot be read.'),
      expect.stringContaining('No mail today.'),
    ])
  })
})
