/** Distinguishes IP addresses of the public internet from others. */
import { BlockList, isIP } from 'node:net'

/** Special-purpose IPv4 networks: private, loopback, link-local, shared, multicast, reserved, documentation, benchmarks. */
const specialIpv4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]

/** Parts of the global IPv6 network that are not ordinary hosts: tunnels, whose address contains another one, and documentation. */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const specialNetworks = new BlockList()
for (const network of specialIpv4) add(specialNetworks, network, 'ipv4')
for (const network of specialIpv6) add(specialNetworks, network, 'ipv6')

/** All other IPv6 networks are local, mapped, or not assigned. */
const globalIpv6 = new BlockList()
add(globalIpv6, '2000::/3', 'ipv6')

function add(list: BlockList, network: string, family: 'ipv4' | 'ipv6'): void {
  const [address = '', bits] = network.split('/')
  list.addSubnet(address, Number(bits), family)
}

/** False for a string that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !specialNetworks.check(address, 'ipv4')
  return family === 6 && globalIpv6.check(address, 'ipv6') && !specialNetworks.check(address, 'ipv6')
}
