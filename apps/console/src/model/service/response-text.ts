/** The message in an error response that is not a problem document: a text, a page for people, or other JSON. */
import { isObject } from './openapi.ts'

const maxLength = 300

/** Undefined without a message. */
export function responseText(body: unknown): string | undefined {
  if (isObject(body)) return [body.message, body.error].map(messageIn).find((message) => message !== undefined)
  if (typeof body !== 'string') return undefined
  const text = (/^\s*</.test(body) ? pageText(body) : body).trim()
  if (text === '') return undefined
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

function messageIn(value: unknown): string | undefined {
  const message = isObject(value) ? value.message : value
  return typeof message === 'string' ? message : undefined
}

/** The texts of an HTML page, with dots between its elements. */
function pageText(html: string): string {
  const texts = html
    .replace(/<(head|script|style)\b.*?<\/\1>|<title\b.*?<\/title>|<!--.*?-->/gis, '')
    .replace(/\s+/g, ' ')
    .split(/<[^>]*>/)
  const lines = texts.map((line) => line.replace(/&(\w+);/g, (entity, name) => entities[name] ?? entity).trim())
  return lines.filter((line) => line !== '').join(' · ')
}

const entities: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }
