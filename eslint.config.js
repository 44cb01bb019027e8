import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['node_modules/', 'systems/kernel/assembly/', 'assets/'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './broadcast/control/page/tsconfig.json'] },
    },
    rules: {
      // `!` is allowed on an index the loop bounds (style guide 7).
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // It does not see that state may change while something is awaited or called.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/unbound-method': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  { files: ['*.config.js', '*.config.cjs', '.dependency-cruiser.cjs'], ...tseslint.configs.disableTypeChecked },
);
