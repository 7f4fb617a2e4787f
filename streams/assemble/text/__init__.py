"""What words say by themselves, in any language: pure functions of strings that know no block, page or table."""
