/** The Node that runs npm, and so the new project. In a clone, npm starts this command with a later one. */

/** A sentence if npm runs on a version of Node that the project does not support. */
export function oldNodeNote(userAgent = process.env.npm_config_user_agent): string | undefined {
  const [, version = '', major, minor] = /\bnode\/v((\d+)\.(\d+)\S*)/.exec(userAgent ?? '') ?? []
  const isSupported = Number(major) === 22 ? Number(minor) >= 18 : Number(major) >= 24
  if (version === '' || isSupported) return undefined
  return `The project needs Node 22.18+ or 24+, but npm runs on Node ${version}. Install a later one first.`
}
