import { identity, link, noun, text } from '@nomen/core'
import { expectTypeOf, it } from 'vitest'
import { rule } from './rule.ts'

const user = noun('user', { id: identity(), name: text() })
const costCenter = noun('cost-center', { guid: identity('guid'), name: text() })
const userCenter = link(user, costCenter)

it('gives the rule of a link the identities by the names of the nouns', () => {
  rule(userCenter, (pair, { caller }) => {
    expectTypeOf(pair.user).toEqualTypeOf<number>()
    expectTypeOf(pair['cost-center']).toEqualTypeOf<string>()
    return caller.user === undefined ? { detail: 'Sign in.', hint: 'Use a token.' } : undefined
  })
  rule(userCenter, async () => undefined, { on: 'unlink' })
  // @ts-expect-error a link has no field
  rule(userCenter, () => ({ field: 'user', detail: 'No.' }))
  // @ts-expect-error no such moment
  rule(userCenter, () => undefined, { on: 'delete' })
  // @ts-expect-error no such noun
  rule(userCenter, ({ role }) => (role ? undefined : undefined))
})

it('gives the rule of a noun its record', () => {
  rule(user, (next) => {
    expectTypeOf(next).toEqualTypeOf<{ id: number; name: string }>()
    return undefined
  })
  rule(user, ['name'], (next) => (next.name === '' ? { field: 'name', detail: 'Empty.' } : undefined))
  // @ts-expect-error no such field
  rule(user, ['title'], () => undefined)
})
