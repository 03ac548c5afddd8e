import { expect, it } from 'vitest'
import type { Entry } from './consumer.ts'
import { deliverInOrder } from './deliver-in-order.ts'

it('waits for the deliveries in flight if one of them throws, and starts no other', async () => {
  const entries = ['a', 'b', 'b'].map((record, index) => ({ id: index + 1, record, linked: null }) as Entry)
  const second = Promise.withResolvers<boolean>()
  const started: number[] = []
  const delivered = new Set<number>()
  const failed = new Set<number>()
  const deliver = async ({ id }: Entry) => {
    started.push(id)
    if (id === 1) throw new Error('The log cannot be written.')
    return second.promise
  }
  const round = deliverInOrder(entries, { delivered, failed, canStart: () => true, deliver })
  let hasEnded = false
  const ended = round.catch(() => undefined).then(() => (hasEnded = true))
  await new Promise(setImmediate)
  expect(hasEnded).toBe(false)
  second.resolve(true)
  await ended
  await expect(round).rejects.toThrow('The log cannot be written.')
  expect([started, [...delivered], [...failed]]).toEqual([[1, 2], [2], []])
})
