/** Ships lines to the push API of Loki: one stream per instance, with labels of few distinct values. */

import { recordsOf } from '../record.ts'
import {
  type Delivery,
  type DeliveryFailure,
  type Destination,
  failedDelivery,
  type LogOrigin,
  successfulDelivery,
} from './destination.ts'
import { Post, type PostOptions, shortened } from './post.ts'

/** The path of the push API, if the URL has none. */
const pushPath = '/loki/api/v1/push'

export function loki(redactedUrl: string, options: PostOptions, origin: LogOrigin): Destination {
  const url = new URL(options.url)
  if (url.pathname === '/') url.pathname = pushPath
  const post = new Post({ ...options, url })
  const stream = { service_name: origin.service, instance: origin.instance, ...labelsOf(origin) }
  return {
    redactedUrl,
    async send({ lines }, signal) {
      const values = recordsOf(lines).map(({ nanoseconds, text }) => [nanoseconds, text])
      const response = await post.send(JSON.stringify({ streams: [{ stream, values }] }), 'application/json', signal)
      if ('status' in response) return successfulDelivery()
      return singleLines(response, lines.length) ?? failedDelivery(lines, response)
    },
    close: () => post.close(),
  }
}

/** Loki allows letters, digits and underscores in the names of labels. */
function labelsOf({ labels }: LogOrigin): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [name.replaceAll(/[^\w]/g, '_').replace(/^(?=\d)/, '_'), value]),
  )
}

/** Reasons that concern single lines, not the request: too old, too long, too far behind other lines of the stream. */
const lineErrors = /timestamp too (old|new)|too far behind|out of order|max entry size|line too long|entry too large/i

/**
 * Loki accepts the valid lines of a request and responds with 400 because of the others, which are rejected permanently.
 * Undefined if the 400 has another reason.
 */
function singleLines({ kind, reason }: DeliveryFailure, numberOfLines: number): Delivery | undefined {
  if (kind !== 'rejected' || !/ responded with 400\b/.test(reason) || !lineErrors.test(reason)) return undefined
  const counts = [...reason.matchAll(/(\d+) errors like|total ignored: (\d+) out of/g)]
  const sum = counts.reduce((total, [, like, ignored]) => total + Number(like ?? ignored), 0)
  return successfulDelivery(Math.min(numberOfLines, Math.max(1, sum)), shortened(reason))
}
