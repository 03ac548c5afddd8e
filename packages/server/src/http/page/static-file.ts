/** A static file: read once, and kept in memory with its compressed forms. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { matchesWeakly, readEntityTags } from '../../pipeline/entity-tag.ts'
import type { RawRequest } from '../../pipeline/read/parsed-request.ts'
import { negotiateEncoding } from '../../pipeline/respond/encoding.ts'
import type { HttpResponse } from '../response.ts'

/** The available forms; at least one of the first two. */
export interface FileForms {
  readonly plain?: Buffer | undefined
  readonly gzip?: Buffer | undefined
  readonly br?: Buffer | undefined
}

export interface FileOptions {
  readonly mediaType: string
  readonly headers?: Readonly<Record<string, string>>
  readonly load: () => Promise<FileForms>
}

export type ServeFile = (request: RawRequest) => Promise<HttpResponse>

/** Loads the file with the first request for it. If that fails, the next request tries again. */
export function staticFile({ mediaType, headers = {}, load }: FileOptions): ServeFile {
  let loading: Promise<LoadedFile> | undefined
  return async (request) => {
    loading ??= loadFile(load).catch((error) => {
      loading = undefined
      throw error
    })
    const { plain, gzip, br, tag } = await loading
    const forms = { br, gzip }
    const available = (['br', 'gzip'] as const).filter((encoding) => forms[encoding] !== undefined)
    const acceptEncoding = request.headers['accept-encoding']
    const encoding = negotiateEncoding(
      typeof acceptEncoding === 'string' ? acceptEncoding : undefined,
      Number.POSITIVE_INFINITY,
      available,
    )
    const tags = readEntityTags(request.headers['if-none-match'])
    const common = { mediaType, headers: { 'cache-control': 'no-cache', ...headers }, etag: tag, encoding }
    if (tags && matchesWeakly(tags, tag)) return { ...common, status: 304, body: '' }
    return { ...common, status: 200, body: (encoding && forms[encoding]) ?? plain }
  }
}

interface LoadedFile {
  readonly plain: Buffer
  readonly gzip: Buffer | undefined
  readonly br: Buffer | undefined
  readonly tag: string
}

async function loadFile(load: () => Promise<FileForms>): Promise<LoadedFile> {
  const { plain: plainBytes, gzip, br } = await load()
  const plain = plainBytes ?? (await promisify(gunzip)(gzip as Buffer))
  return { plain, gzip, br, tag: createHash('sha256').update(plain).digest('base64url') }
}
