/** Records where fields were declared, so that messages can show the line. */

const origins = new WeakMap<object, Error>()

/** Off by default: capturing a stack takes time, and most programs do not need it. */
let isRecording = false

export function recordOrigins(isOn: boolean): void {
  isRecording = isOn
}

/** Records the call that created a field; a modifier keeps the origin of the field before it. */
export function recordOrigin(spec: object, before?: object): void {
  const origin = before ? origins.get(before) : isRecording ? new Error('origin') : undefined
  if (origin) origins.set(spec, origin)
}

export function originOf(spec: object): Error | undefined {
  return origins.get(spec)
}
