import { api, change, identity, noun, resource, text, webhooks } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { describe, expect, it } from 'vitest'
import { serviceOf } from './service/service.ts'
import { deliveryFrom, isDeliveryLog, isWebhook, secretsIn, webhookAction } from './webhook.ts'

const note = noun('note', { id: identity(), line: text() }, { history: true })
const notes = api('notes', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(note), resource(change), webhooks],
})
const service = serviceOf('notes', [{ document: { ...openapi(notes) }, base: '' }])
const collectionAt = (key: string) => {
  const collection = service.collections.find((candidate) => candidate.key === key)
  if (!collection) throw new Error(`There is no ${key}.`)
  return collection
}

describe('webhooks', () => {
  it('are recognized by the log of their deliveries', () => {
    expect(isWebhook(collectionAt('/webhook'))).toBe(true)
    expect(isDeliveryLog(collectionAt('/webhook/{}/delivery'))).toBe(true)
    expect(isWebhook(collectionAt('/note'))).toBe(false)
  })

  it('have operations by name', () => {
    expect(webhookAction(collectionAt('/webhook'), 'test')?.title).toBe('Send a test event')
    expect(webhookAction(collectionAt('/webhook'), 'nothing')).toBeUndefined()
  })

  it('have deliveries with or without a response', () => {
    expect(deliveryFrom({ outcome: 'FAILED', durationMs: 12, error: 'refused', httpStatus: null })).toMatchObject({
      isDelivered: false,
      durationMs: 12,
      httpStatus: undefined,
      error: 'refused',
    })
  })

  it('show secrets once', () => {
    expect(secretsIn({ id: 1, secret: 'whsec_1' })).toEqual([{ name: 'secret', value: 'whsec_1' }])
    expect(secretsIn({ secret: null, secretary: 'Ada' })).toEqual([])
  })
})
