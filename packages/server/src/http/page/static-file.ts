/** A static file: read once, and kept in memory with its compressed forms. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { matchesWeakly, readEntityTags } from '../../pipeline/entity-tag.ts'
import type { RawRequest } from '../../pipeline/read/parsed-request.ts'
import { chosenEncoding } from '../../pipeline/respond/encoding.ts'
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
  let loading: Promise<Loaded> | undefined
  return async (request) => {
    loading ??= loaded(load).catch((error) => {
      loading = undefined
      throw error
    })
    const { plain, gzip, br, tag } = await loading
    const forms = { br, gzip }
    const available = (['br', 'gzip'] as const).filter((encoding) => forms[encoding] !== undefined)
    const accepted = request.headers['accept-encoding']
    const encoding = chosenEncoding(
      typeof accepted === 'string' ? accepted : undefined,
      Number.POSITIVE_INFINITY,
      available,
    )
    const tags = readEntityTags(request.headers['if-none-match'])
    const common = { mediaType, headers: { 'cache-control': 'no-cache', ...headers }, tag, encoding }
    if (tags && matchesWeakly(tags, tag)) return { ...common, status: 304, body: '' }
    return { ...common, status: 200, body: (encoding && forms[encoding]) ?? plain }
  }
}

interface Loaded {
  readonly plain: Buffer
  readonly gzip: Buffer | undefined
  readonly br: Buffer | undefined
  readonly tag: string
}

async function loaded(load: () => Promise<FileForms>): Promise<Loaded> {
  const { plain: read, gzip, br } = await load()
  const plain = read ?? (await promisify(gunzip)(gzip as Buffer))
  return { plain, gzip, br, tag: createHash('sha256').update(plain).digest('base64url') }
}
