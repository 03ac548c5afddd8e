// The command writes the same document as the service serves.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { nomen } from './nomen.ts'

const file = 'apps/directory/service.ts'

describe('nomen openapi', () => {
  it('writes the document without a version, or of the requested version', async () => {
    const [plain, versioned] = await Promise.all([
      nomen(['openapi', file]),
      nomen(['openapi', file, '--version', '1', '--server', 'https://example.com']),
    ])
    expect([plain.code, plain.errors, versioned.code, versioned.errors]).toEqual([0, '', 0, ''])
    const [first, second] = [JSON.parse(plain.output), JSON.parse(versioned.output)]
    expect([first.openapi, first.info.title, first.servers]).toEqual(['3.1.0', 'directory', undefined])
    expect([second.info.title, second.servers]).toEqual(['directory v1', [{ url: 'https://example.com' }]])
    expect(Object.keys(second.paths)).toContain('/v1/role/{roleRef}')
  })

  it('documents the responses of --rate-limit, and rejects an invalid rate', async () => {
    const [limited, invalidRate] = await Promise.all([
      nomen(['openapi', file, '--rate-limit', '100/s']),
      nomen(['openapi', file, '--rate-limit', 'often']),
    ])
    expect(Object.keys(JSON.parse(limited.output).paths['/user'].get.responses)).toContain('429')
    expect([invalidRate.code, invalidRate.errors]).toEqual([
      2,
      expect.stringContaining('--rate-limit must be a rate such as 100/s, 6000/m or 50000/h, but is "often".'),
    ])
  })

  it('writes to a file', async () => {
    const output = join(temporaryFolder(), 'document.json')
    expect(await nomen(['openapi', file, '--output', output])).toMatchObject({ code: 0, output: '', errors: '' })
    expect(JSON.parse(readFileSync(output, 'utf8')).openapi).toBe('3.1.0')
  })

  it('lists the existing versions if the requested one does not exist', async () => {
    const { code, errors } = await nomen(['openapi', file, '--version', '7'])
    expect(code).toBe(1)
    expect(errors).toContain('directory has no version 7.')
    expect(errors).toContain('It has the documents /openapi.json, /v1/openapi.json.')
  })
})
