// Settings of the BGP daemon beside an agent.
import { flag, oneOf, text, whole } from '../setting-kinds.ts'

export const bgpSettings = {
  bgp: oneOf(
    'MEGREZ_BGP',
    ['off', 'bird', 'frr', 'foreign'],
    'off',
    "agent: the BGP daemon of this node: none, one that does what the node's BGPSpeaker says, or somebody else's, which is left alone",
  ),
  bgpStart: flag('MEGREZ_BGP_START', true, 'agent: it starts the daemon where none runs; false: something else does, as the chart does'),
  bgpFolder: text(
    'MEGREZ_BGP_FOLDER',
    '/run/megrez/bgp',
    "agent: folder of the daemon's configuration, control socket and log; passwords are in there",
  ),
  birdProgram: text('MEGREZ_BIRD', 'bird', 'agent: path of BIRD 2, or its name on PATH'),
  frrPrograms: text('MEGREZ_FRR', '/usr/lib/frr', "agent: folder of FRR's zebra, bfdd and bgpd; vtysh is on PATH"),
  bgpForeignTable: whole(
    'MEGREZ_BGP_FOREIGN_TABLE',
    254,
    "agent: the kernel's route table that somebody else's daemon writes to; 254 is main",
    {
      min: 1,
      max: 4_294_967_295,
    },
  ),
  bgpForeignProtocol: text(
    'MEGREZ_BGP_FOREIGN_PROTOCOL',
    'bird',
    "agent: the protocol that its routes have there, by number or by the kernel's name: bird, zebra, bgp",
  ),
} as const
