#pragma once
void solve(const float* in, int n, float* out, int m);
