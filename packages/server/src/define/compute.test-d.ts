import { choice, date, identity, integer, noun, reference, text } from '@nomen/core'
import { expectTypeOf, it } from 'vitest'
import { compute } from './compute.ts'
import { filter } from './filter.ts'
import { after } from './hook.ts'
import { rule } from './rule.ts'
import { visible } from './visibility.ts'

const user = noun(
  'user',
  {
    id: identity(),
    firstName: text(),
    born: date().nullable(),
    status: choice('ON', 'OFF'),
    supervisor: reference(() => user).nullable(),
  },
  { computed: { title: text(), age: integer().nullable(), size: choice('S', 'L') } },
)

it('sees the fields that it names, each of its type, and no others', () => {
  compute(user, 'title', ['firstName', 'born', 'status', 'supervisor'], (record) => {
    expectTypeOf(record).toEqualTypeOf<{
      readonly firstName: string
      readonly born: string | null
      readonly status: 'ON' | 'OFF'
      readonly supervisor: number | null
    }>()
    return record.firstName
  })
  // @ts-expect-error: it is not named
  compute(user, 'title', ['born'], ({ firstName }) => firstName)
  // @ts-expect-error: no field of that name
  compute(user, 'title', ['lastName'], () => '')
  // @ts-expect-error: a computed field is not a source of another one
  compute(user, 'title', ['age'], () => '')
})

it('gives a value of its kind, or a promise of it', () => {
  compute(user, 'age', ['born'], ({ born }) => (born === null ? null : 7))
  compute(user, 'size', [], () => 'S', { revision: 2 })
  // @ts-expect-error: a title is never null
  compute(user, 'title', ['born'], ({ born }) => born)
  // @ts-expect-error: no number
  compute(user, 'age', [], () => '7')
  // @ts-expect-error: no word of the choice
  compute(user, 'size', [], () => 'M')
  compute(user, 'title', [], async (_, { read }) => `${await read(user).count({ born: null })}`)
  // @ts-expect-error: no number
  compute(user, 'age', [], async () => '7')
})

it('is of what the noun declares as computed', () => {
  // @ts-expect-error: it is stored
  compute(user, 'firstName', [], () => '')
  // @ts-expect-error: nothing of that name
  compute(user, 'titel', [], () => '')
  const plain = noun('plain', { id: identity() })
  // @ts-expect-error: nothing is computed of it
  compute(plain, 'title', [], () => '')
})

it('is seen by nothing else that a service file says of records', () => {
  // @ts-expect-error: it is not stored
  rule(user, ['title'], () => undefined)
  // @ts-expect-error: it is not stored
  rule(user, ({ title }) => ({ detail: title }))
  // @ts-expect-error: it is not stored
  after(user, ({ record: { title } }) => title)
  // @ts-expect-error: it is not stored
  visible(user, () => ({ title: 'x' }))
  // @ts-expect-error: it is not stored
  filter(user, { kind: 'custom', spec: { kind: 'boolean' } }, () => ({ title: 'x' }))
})
