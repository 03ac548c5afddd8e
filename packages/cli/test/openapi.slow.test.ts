// The document that the command writes is the one that the service serves.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { nomen } from './nomen.ts'

const file = 'apps/directory/service.ts'

describe('nomen openapi', () => {
  it('writes the document without a version, or of the version that is wanted', async () => {
    const [plain, versioned] = await Promise.all([
      nomen(['openapi', file]),
      nomen(['openapi', file, '--version', '1', '--server', 'https://example.com']),
    ])
    expect([plain.code, plain.errors, versioned.code, versioned.errors]).toEqual([0, '', 0, ''])
    const [one, other] = [JSON.parse(plain.output), JSON.parse(versioned.output)]
    expect([one.openapi, one.info.title, one.servers]).toEqual(['3.1.1', 'directory', undefined])
    expect([other.info.title, other.servers]).toEqual(['directory v1', [{ url: 'https://example.com' }]])
    expect(Object.keys(other.paths)).toContain('/v1/role/{roleRef}')
  })

  it('says what the limit on requests may be answered with, and refuses one that is none', async () => {
    const [limited, wrong] = await Promise.all([
      nomen(['openapi', file, '--rate-limit', '100/s']),
      nomen(['openapi', file, '--rate-limit', 'often']),
    ])
    expect(Object.keys(JSON.parse(limited.output).paths['/user'].get.responses)).toContain('429')
    expect([wrong.code, wrong.errors]).toEqual([2, expect.stringContaining('--rate-limit is "often".')])
  })

  it('writes into a file', async () => {
    const output = join(temporaryFolder(), 'document.json')
    expect(await nomen(['openapi', file, '--output', output])).toMatchObject({ code: 0, output: '', errors: '' })
    expect(JSON.parse(readFileSync(output, 'utf8')).openapi).toBe('3.1.1')
  })

  it('says which versions there are where one is wanted that is not', async () => {
    const { code, errors } = await nomen(['openapi', file, '--version', '7'])
    expect(code).toBe(1)
    expect(errors).toContain('directory has no version 7.')
    expect(errors).toContain('Its documents are /openapi.json, /v1/openapi.json.')
  })
})
