/** The layer law (docs/architecture.md): components <- engine <- systems <- { scenes, broadcast } <- bin. */
const layer = (from, allowed, comment) => ({
  name: `layer-${from}`,
  comment,
  severity: 'error',
  from: { path: `^${from}/` },
  to: { path: '^(components|engine|systems|scenes|broadcast|bin)/', pathNot: `^(${[from, ...allowed].join('|')})/` },
});
const home = (library, path) => ({
  name: `home-of-${library}`,
  comment: `${library} has one home`,
  severity: 'error',
  from: { path: '^(components|engine|systems|scenes|broadcast|bin)/', pathNot: path },
  to: { path: `node_modules/${library}/` },
});

module.exports = {
  forbidden: [
    layer('components', [], 'component stores hold data only'),
    layer('engine', ['components'], 'the runtime knows no system'),
    layer('systems', ['engine', 'components'], 'a step of the tick knows neither picture nor wire'),
    layer('scenes', ['engine', 'components'], 'scenes draw a replica'),
    layer('broadcast', ['engine', 'components'], 'broadcast reaches a session through the control port only'),
    {
      name: 'games-are-found-not-imported',
      comment: 'a task is loaded by the name in its show file',
      severity: 'error',
      from: { path: '^(components|engine|systems|scenes|broadcast|bin)/', pathNot: '^systems/task/([^/]+)/' },
      to: { path: '^systems/task/[^/]+/' },
    },
    {
      name: 'a-game-knows-no-other-game',
      severity: 'error',
      from: { path: '^systems/task/([^/]+)/' },
      to: { path: '^systems/task/[^/]+/', pathNot: '^systems/task/$1/' },
    },
    {
      name: 'scenes-and-broadcast-are-apart',
      severity: 'error',
      from: { path: '^scenes/' },
      to: { path: '^broadcast/' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    home('node-av', '^broadcast/'),
    home('koffi', '^systems/environment/'),
    home('pixi.js', '^scenes/'),
    home('three', '^scenes/'),
    home('@napi-rs/canvas', '^scenes/'),
    home('tmi.js', '^broadcast/twitch/'),
    home('fastify', '^broadcast/control/'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
