/** The identity of the service: its logo or first letter, its name, and its environment. */
import { Badge, Group, Text } from '@mantine/core'
import { useEffect } from 'react'
import { homePath } from '../model/route.ts'
import { useConsole } from '../state/console-context.ts'
import type { Settings } from '../state/load.ts'
import { Link } from '../view/link.tsx'

export function Brand({ settings: { logo, environment } }: { readonly settings: Settings }) {
  const { service } = useConsole()
  useEffect(() => {
    if (logo !== undefined) document.querySelector('link[rel="icon"]')?.setAttribute('href', logo)
  }, [logo])
  return (
    <Group gap={8} wrap="nowrap" className="brand">
      <Link to={homePath} className="brand-link" c="inherit">
        {logo === undefined ? (
          <span className="brand-mark" aria-hidden="true">
            {[...service.title][0]?.toUpperCase()}
          </span>
        ) : (
          <img src={logo} alt="" className="brand-logo" />
        )}
        <Text span fw={600} size="sm" truncate className="brand-name">
          {service.title}
        </Text>
      </Link>
      {environment !== undefined && environment !== '' && (
        <Badge variant="light" radius="sm" tt="none" fw={600} color={environmentColor(environment)}>
          {environment}
        </Badge>
      )}
    </Group>
  )
}

/** Red for the environment in which a mistake is expensive. */
function environmentColor(environment: string): string {
  if (/^(prod|live)/i.test(environment)) return 'red'
  return /^(stag|test|pre|uat|qa)/i.test(environment) ? 'orange' : 'gray'
}
