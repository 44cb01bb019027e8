/** The 31 macro populations, frozen order (spec: brain.md 8.4). */
export const MACRO_ROLES: readonly string[] = [
  'macro_go_objective',
  'macro_go_out',
  'macro_go_warp',
  'macro_go_route',
  'macro_go_item',
  'macro_go_npc',
  'macro_go_frontier',
  'macro_go_shop',
  'macro_go_heal',
  'macro_talk',
  'macro_menu',
  'macro_next',
  'macro_yes',
  'macro_no',
  'macro_close',
  'macro_confirm',
  'macro_back',
  'macro_move_1',
  'macro_move_2',
  'macro_move_3',
  'macro_move_4',
  'macro_switch',
  'macro_item',
  'macro_throw_ball',
  'macro_run',
  'macro_buy_potion',
  'macro_buy_ball',
  'macro_buy_antidote',
  'macro_buy_repel',
  'macro_heal',
  'macro_leave',
];

/** Deals the sorted union of output neurons of the mushroom body and motor neurons round-robin (spec: brain.md 2). */
export function dealMacroRoles(mbon: readonly number[], motor: readonly number[]): Record<string, number[]> {
  const pool = [...new Set([...mbon, ...motor])].sort((a, b) => a - b);
  const roles: Record<string, number[]> = {};
  for (const name of MACRO_ROLES) roles[name] = [];
  pool.forEach((neuron, position) => roles[MACRO_ROLES[position % MACRO_ROLES.length]!]!.push(neuron));
  return roles;
}
