// A file of libpcap (draft-ietf-opsawg-pcap, section 4): one header, then each packet with its own.
const ethernet = 1

export interface CapturedFrame {
  /** As much of it as is kept. */
  readonly bytes: Uint8Array
  /** Of the whole frame. */
  readonly length: number
  readonly at: Date
}

/** What one packet takes beside its bytes, and the file before the first. */
export const pcapHeaderBytes = { packet: 16, file: 24 }

export function pcapFile(frames: readonly CapturedFrame[], snapLength: number): Uint8Array {
  const size = frames.reduce((sum, { bytes }) => sum + pcapHeaderBytes.packet + bytes.length, pcapHeaderBytes.file)
  const file = new Uint8Array(size)
  const view = new DataView(file.buffer)
  view.setUint32(0, 0xa1b2_c3d4, true)
  view.setUint16(4, 2, true)
  view.setUint16(6, 4, true)
  view.setUint32(16, snapLength, true)
  view.setUint32(20, ethernet, true)
  let at = pcapHeaderBytes.file
  for (const frame of frames) {
    view.setUint32(at, Math.floor(frame.at.getTime() / 1_000), true)
    view.setUint32(at + 4, frame.at.getUTCMilliseconds() * 1_000, true)
    view.setUint32(at + 8, frame.bytes.length, true)
    view.setUint32(at + 12, frame.length, true)
    file.set(frame.bytes, at + pcapHeaderBytes.packet)
    at += pcapHeaderBytes.packet + frame.bytes.length
  }
  return file
}
