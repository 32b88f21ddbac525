import 'package:flutter/material.dart';
export 'src/app.dart';

const limit = 10;

/// A button.
@immutable
abstract class Button extends Widget with Clickable {
  final String label;
  Button(this.label);
  Button.small() : label = 's';

  /// Builds it.
  Widget build(BuildContext context) {
    return Text(label.trim());
  }

  String get name => label;
}

mixin Clickable { void click() {} }
enum Mode { fast, slow }
extension StringX on String { int parse() => int.parse(this); }
typedef Handler = void Function(int);
int add(int a, int b) => a + b;
