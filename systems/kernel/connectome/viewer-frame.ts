/** No place in the viewer's frame is further out along any axis; nanometres always are. */
const FRAME_LIMIT = 8;

/**
 * Brings positions in data-set units into the frame that `ViewerGeometry` promises, in place. A measured bundle holds
 * raw coordinates (spec: brain.md 2, rule 3) with x to the viewer's right, y down and z away, as FlyWire's own viewer
 * shows the brain from the front. Positions that are in the frame already stay as they are. A neuron without a
 * position (0,0,0) is put at the centre and counts for nothing.
 * @param positions `3 * neurons`, finite; written
 */
export function toViewerFrame(positions: Float32Array): void {
  let furthest = 0;
  for (const value of positions) furthest = Math.max(furthest, Math.abs(value));
  if (furthest <= FRAME_LIMIT) return;
  const centre = [0, 0, 0];
  let placed = 0;
  for (let k = 0; k < positions.length; k += 3) {
    if (!isPlaced(positions, k)) continue;
    placed++;
    for (let axis = 0; axis < 3; axis++) centre[axis]! += positions[k + axis]!;
  }
  for (let axis = 0; axis < 3; axis++) centre[axis]! /= placed;
  let halfWidth = 0;
  for (let k = 0; k < positions.length; k += 3) {
    if (isPlaced(positions, k)) halfWidth = Math.max(halfWidth, Math.abs(positions[k]! - centre[0]!));
  }
  const scale = 1 / (halfWidth || furthest);
  for (let k = 0; k < positions.length; k += 3) {
    if (!isPlaced(positions, k)) continue;
    positions[k] = (positions[k]! - centre[0]!) * scale;
    positions[k + 1] = (centre[1]! - positions[k + 1]!) * scale;
    positions[k + 2] = (centre[2]! - positions[k + 2]!) * scale;
  }
}

function isPlaced(positions: Float32Array, k: number): boolean {
  return positions[k] !== 0 || positions[k + 1] !== 0 || positions[k + 2] !== 0;
}
