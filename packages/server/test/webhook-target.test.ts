// Webhooks cannot reach private addresses, unless a setting allows it.

import { describe, expect, it } from 'vitest'
import { openService } from './test-service.ts'
import { notes } from './webhook-service.ts'

const privateUrls = [
  'http://example.com',
  'https://127.0.0.1/hook',
  'https://127.1/hook',
  'https://0x7f000001/hook',
  'https://10.1.2.3',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1',
  'https://[::1]:8443',
  'https://[::ffff:10.0.0.1]',
  'https://[fe80::1]',
  'https://[fd00::1]',
  'https://[64:ff9b::a00:1]',
  'https://[2002:a00:1::]',
  'https://0.0.0.0',
]

describe('without the setting', () => {
  it('a private target is refused', async () => {
    const { send } = await openService(notes)
    for (const url of privateUrls) {
      const { status, body } = await send('POST', '/webhook', { url })
      expect([url, status, body.code]).toEqual([url, 422, 'rule-broken'])
    }
  })

  it('a name that leads to a private address is not connected to', async () => {
    const { send } = await openService(notes)
    const { body } = await send('POST', '/webhook', { url: 'https://localhost:1' })
    const sent = await send('POST', `/webhook/${body.id}/test`)
    expect(sent.body).toMatchObject({ outcome: 'FAILED', httpStatus: null })
    expect(sent.body.error).toMatch(/private, loopback or link-local address/)
  })

  it('no name server is queried for a name that cannot exist', async () => {
    const { send } = await openService(notes)
    const { body } = await send('POST', '/webhook', { url: 'https://nomen-check.invalid/' })
    const { error } = (await send('POST', `/webhook/${body.id}/test`)).body
    expect(error).toBe('nomen-check.invalid cannot be resolved: the top-level domain .invalid is reserved.')
  })

  it('public addresses are accepted', async () => {
    const { send } = await openService(notes)
    for (const url of ['https://example.com/hook', 'https://93.184.215.14', 'https://[2606:2800:21f::1]:8443'])
      expect((await send('POST', '/webhook', { url, status: 'PAUSED' })).status).toBe(201)
  })
})
