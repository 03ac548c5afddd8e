/** The nouns of each api, and the usage of all of them. */
import { NavLink, ScrollArea, Text } from '@mantine/core'
import { operationsPath, type Place, stepsTo, usagePath } from '../model/address.ts'
import { rootsOf } from '../model/service/service.ts'
import { Icon } from '../view/icon.tsx'
import { follow } from '../view/link.tsx'
import { useConsole } from '../wire/console-context.ts'

export function Navigation({ place, docs }: { readonly place: Place; readonly docs: string | undefined }) {
  const { service } = useConsole()
  const hasOperations = service.apis.some(({ actions }) => actions.length > 0)
  const present = stepsTo(place)[0]?.collection
  return (
    <ScrollArea p="xs" type="auto">
      <nav aria-label="Nouns">
        {service.apis.map((api) => (
          <section key={`${api.title} ${api.version} ${api.base}`} aria-label={api.title} className="navigation-api">
            <Text size="xs" c="dimmed" fw={600} px="sm" py={4} truncate>
              {api.title}
            </Text>
            {rootsOf(api).map((collection) => (
              <NavLink
                key={collection.key}
                href={`#${collection.path}`}
                onClick={follow(collection.path)}
                label={collection.title}
                active={collection === present}
                aria-current={collection === present ? 'page' : undefined}
              />
            ))}
          </section>
        ))}
        {hasOperations && (
          <NavLink
            mt="md"
            href={`#${operationsPath}`}
            onClick={follow(operationsPath)}
            label="Operations"
            leftSection={<Icon sign="run" />}
            active={place.kind === 'operations'}
            aria-current={place.kind === 'operations' ? 'page' : undefined}
          />
        )}
        <NavLink
          mt={hasOperations ? 0 : 'md'}
          href={`#${usagePath}`}
          onClick={follow(usagePath)}
          label="Usage"
          leftSection={<Icon sign="usage" />}
          active={place.kind === 'usage'}
          aria-current={place.kind === 'usage' ? 'page' : undefined}
        />
        {docs !== undefined && <NavLink href={docs} label="Docs" leftSection={<Icon sign="docs" />} />}
      </nav>
    </ScrollArea>
  )
}
