/** Asks the next form to take the focus, for a record that is opened to be edited. */

let isRequested = false

export function requestEdit(): void {
  isRequested = true
}

/** Whether the form that calls it takes the focus. The request is forgotten. */
export function takeEditRequest(): boolean {
  const was = isRequested
  isRequested = false
  return was
}
