// Bits of marks that nftables' tables of ours give to frames.

/**
 * What a frame's mark says while it is judged, one after the other. Before and after it is 0; of what is ruled after it was limited and
 * marked too, in the table behind.
 *
 *     31 30    26     25     24    23           0
 *     |1|0|    0   |  0   |   0    |    VNI       |   of the interface
 *     |0|0|    0   |  0   |  else  |   identity   |   of the other end; else: anyone else
 *     |0|1|  ruled | logs | passes |  treatment   |   what becomes of it, and what is done with it
 */
export const marks = {
  network: 0x80000000,
  decided: 0x40000000,
  ruled: 0x04000000,
  logs: 0x02000000,
  passes: 0x01000000,
  treatment: 0xffffff,
} as const

/**
 * Whether a mark is of what is ruled: all bits above the treatment but `logs` say so. Marks of VLANs, `Mg` in their upper half
 * (core/linux/vlan-programs.ts), have bit 27 beside.
 */
export const ruledMarks = { mask: 0xfd000000, value: marks.decided + marks.ruled + marks.passes } as const
