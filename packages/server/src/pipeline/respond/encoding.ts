/** Compression of responses: content negotiation and encoding. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

const encodings: readonly Encoding[] = ['br', 'gzip']

/** Smaller bodies fit into one packet without compression. */
const minBytes = 1024

const compress = {
  gzip: promisify<Buffer, Buffer>((input, done) => gzip(input, { level: 5 }, done)),
  br: promisify<Buffer, Buffer>((input, done) =>
    brotliCompress(
      input,
      { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: input.length } },
      done,
    ),
  ),
}

/** The encoding for a body of this length, among those that are available; undefined for none. */
export function negotiateEncoding(
  header: string | undefined,
  length: number,
  available: readonly Encoding[] = encodings,
): Encoding | undefined {
  if (header === undefined || length < minBytes) return undefined
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0)
  }
  const weightOf = (name: Encoding) => (available.includes(name) ? (weights.get(name) ?? weights.get('*') ?? 0) : 0)
  const [brWeight, gzipWeight] = [weightOf('br'), weightOf('gzip')]
  if (Math.max(brWeight, gzipWeight) === 0 || (weights.get('identity') ?? 0) > Math.max(brWeight, gzipWeight))
    return undefined
  return brWeight >= gzipWeight ? 'br' : 'gzip'
}

export function encode(body: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return compress[encoding](typeof body === 'string' ? Buffer.from(body) : body)
}
