/** The records of a JSON text, each as a text of its own: a fault in one of them leaves the others alone. */
import { isObject } from '../service/openapi.ts'

export interface JsonElements {
  readonly elements: readonly string[]
  /** What is wrong beside them. */
  readonly fault: string | undefined
}

/** Those of an array, those of the `results` of a page, or the one object that it is. */
export function jsonElements(text: string): JsonElements {
  const trimmed = text.trim()
  if (trimmed.startsWith('[')) return split(trimmed)
  const whole = parsed(trimmed)
  const list = isObject(whole) && Array.isArray(whole.results) ? whole.results : [whole]
  return { elements: list.map((one) => JSON.stringify(one) ?? trimmed), fault: undefined }
}

export function isJson(text: string): boolean {
  return parsed(text) !== undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** At the commas of the array itself. */
function split(text: string): JsonElements {
  const elements: string[] = []
  let depth = 0
  let from = 1
  const end = (at: number) => {
    const element = text.slice(from, at).trim()
    if (element !== '') elements.push(element)
    from = at + 1
  }
  // A text is passed over as a whole, whatever stands in it.
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"|[[\]{},]/g)) {
    if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    if (sign === ',' && depth === 1) end(index)
    if (depth > 0) continue
    end(index)
    const isLast = from === text.length
    return { elements, fault: isLast ? undefined : 'Something stands behind the end of the array.' }
  }
  end(text.length)
  return { elements, fault: 'The array does not end: the file may be cut off.' }
}
