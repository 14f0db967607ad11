// Who Neutron is when it asks another service: its own user at Keystone.
import { people } from './keystone.ts'
import type { Settings } from './settings.ts'

/** Of keystoneauth's options, in any group of a file. */
export const serviceUser = (keystoneUrl: string): Settings[string] => ({
  auth_url: keystoneUrl,
  auth_type: 'password',
  project_domain_id: 'default',
  user_domain_id: 'default',
  project_name: people.neutron.project,
  username: 'neutron',
  password: people.neutron.password,
  region_name: 'RegionOne',
})
