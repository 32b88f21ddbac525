using System;
using System.Collections.Generic;

namespace Example.Io;

/// <summary>Writes things.</summary>
[Serializable]
public sealed class Writer<T> : IDisposable
{
    private const int Limit = 10;
    public string Name { get; set; }
    public event EventHandler Changed;

    public Writer(string name) : base(name) { }

    /// <summary>Writes one value.</summary>
    public void Write(T value) => Console.WriteLine(value);

    public struct Token { public int X; }
    public enum Mode { Fast }
    public interface IThing { void Do(); }
    public record Pair(int A, int B);
    public delegate void Handler(int x);
}
