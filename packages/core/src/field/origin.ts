/** Records where fields were declared, so that messages can show the line. */

const origins = new WeakMap<object, Error>()

/** Off by default: capturing a stack takes time, and most programs do not need it. */
let isRecording = false

export function recordOrigins(isOn: boolean): void {
  isRecording = isOn
}

/** Records the call that created a field. The field of a modifier has the origin of the field that it modifies. */
export function recordOrigin(spec: object, original?: object): void {
  const origin = original ? origins.get(original) : isRecording ? new Error('origin') : undefined
  if (origin) origins.set(spec, origin)
}

export function originOf(spec: object): Error | undefined {
  return origins.get(spec)
}
