/** Notes with webhooks, for tests. */
import { api, change, identity, link, noun, resource, text, webhooks } from '@nomen/core'
import { service } from '@nomen/server'
import { expect } from 'vitest'
import type { Receiver } from './receiver.ts'
import type { TestService } from './test-service.ts'

const note = noun(
  'note',
  { id: identity(), line: text(), owner: text().nullable(), secretNote: text().nullable() },
  { history: true },
)
const tag = noun('tag', { id: identity(), name: text() }, { history: true })
const noteTag = link(note, tag)
const plain = api('notes', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(note, {
      complete: ['id', 'line', 'owner'],
      children: [resource(tag, { via: noteTag }), resource(change)],
    }),
    resource(tag),
    resource(change),
    webhooks,
  ],
})

export const notes = service({ name: 'notes', apis: [plain] })

/** Receivers of tests run on this machine. */
export const settings = { webhookPrivateTargets: true }

export async function subscribe(
  { send }: TestService,
  { url }: Receiver,
  other: object = {},
  headers: Record<string, string> = {},
) {
  const { body, status } = await send('POST', '/webhook', { url, ...other }, headers)
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { readonly id: number; readonly secret: string }
}

export async function newNote({ send }: TestService, line: string, headers: Record<string, string> = {}) {
  return (await send('POST', '/note', { line }, headers)).body.id as number
}

/** The types of the received events. */
export function typesIn({ received }: Receiver): readonly string[] {
  return received.map(({ event }) => event.type)
}

/** The lines of the received notes. */
export function linesIn({ received }: Receiver): readonly unknown[] {
  return received.map(({ event: { data } }) => JSON.parse(`${data.after}`)?.line)
}
