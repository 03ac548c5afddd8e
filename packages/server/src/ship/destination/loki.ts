/** Ships lines to Loki, by its push API: one stream of an instance, labels that take few values. */

import { recordsOf } from '../record.ts'
import { type Delivery, type Destination, delivered, failed, type Origin, type Trouble } from './destination.ts'
import { Post, type PostOptions, shortened } from './post.ts'

/** The path of the push API, unless the address has one. */
const pushPath = '/loki/api/v1/push'

export function loki(shown: string, options: PostOptions, origin: Origin): Destination {
  const url = new URL(options.url)
  if (url.pathname === '/') url.pathname = pushPath
  const post = new Post({ ...options, url })
  const stream = { service_name: origin.service, instance: origin.instance, ...labelsOf(origin) }
  return {
    shown,
    async send({ lines }, signal) {
      const values = recordsOf(lines).map(({ nanoseconds, text }) => [nanoseconds, text])
      const answer = await post.send(JSON.stringify({ streams: [{ stream, values }] }), 'application/json', signal)
      if ('status' in answer) return delivered()
      return singleLines(answer, lines.length) ?? failed(lines, answer)
    },
    close: () => post.close(),
  }
}

/** Loki knows letters, digits and underscores in the names of labels. */
function labelsOf({ labels }: Origin): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [name.replaceAll(/[^\w]/g, '_').replace(/^(?=\d)/, '_'), value]),
  )
}

/** Reasons that are about lines, not about the request: too old, too long, too far behind others of the stream. */
const aboutLines = /timestamp too (old|new)|too far behind|out of order|max entry size|line too long|entry too large/i

/**
 * Loki takes the lines that it can take and answers 400 for the others. These would be refused for ever: they are counted.
 * Undefined where it speaks of something else.
 */
function singleLines({ kind, reason }: Trouble, most: number): Delivery | undefined {
  if (kind !== 'refused' || !/ answers 400\b/.test(reason) || !aboutLines.test(reason)) return undefined
  const counts = [...reason.matchAll(/(\d+) errors like|total ignored: (\d+) out of/g)]
  const sum = counts.reduce((total, [, like, ignored]) => total + Number(like ?? ignored), 0)
  return delivered(Math.min(most, Math.max(1, sum)), shortened(reason))
}
