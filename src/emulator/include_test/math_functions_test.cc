// CUDA's own mathematical functions of the emulator's headers against values of mpmath (300 bits), in units
// in the last place.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cuset_emulator/math_error_functions.h"
#include "cuset_emulator/math_functions.h"

namespace {

struct KnownValue {
  const char* name;
  double (*function)(double);
  double x;
  double value;
};

const KnownValue kKnownValues[] = {
    {"rsqrt", [](double x) { return rsqrt(x); }, 0.3, 1.8257418583505537453},
    {"rsqrt", [](double x) { return rsqrt(x); }, 7.0, 0.37796447300922722721},
    {"rsqrt", [](double x) { return rsqrt(x); }, 1e-300, 9.9999999999999998747e+149},
    {"rsqrt", [](double x) { return rsqrt(x); }, 1e+300, 9.9999999999999997375e-151},
    {"rcbrt", [](double x) { return rcbrt(x); }, 0.3, 1.493801582185721588},
    {"rcbrt", [](double x) { return rcbrt(x); }, -7.0, -0.52275795857471021675},
    {"rcbrt", [](double x) { return rcbrt(x); }, 1e-200, 4.6415888336127789201e+66},
    {"sinpi", [](double x) { return sinpi(x); }, 0.3, 0.8090169943749474036},
    {"sinpi", [](double x) { return sinpi(x); }, -1.75, 0.7071067811865475244},
    {"sinpi", [](double x) { return sinpi(x); }, 1e-09, 3.141592653589793429e-9},
    {"sinpi", [](double x) { return sinpi(x); }, 123456.7, 0.80901699438032168455},
    {"sinpi", [](double x) { return sinpi(x); }, 0.9999, 0.00031415926019123196964},
    {"cospi", [](double x) { return cospi(x); }, 0.3, 0.58778525229247315739},
    {"cospi", [](double x) { return cospi(x); }, -1.75, 0.7071067811865475244},
    {"cospi", [](double x) { return cospi(x); }, 1e-09, 0.99999999999999999507},
    {"cospi", [](double x) { return cospi(x); }, 123456.7, -0.58778525228507609425},
    {"cospi", [](double x) { return cospi(x); }, 0.49999, 0.000031415926530761638324},
    {"erfinv", [](double x) { return erfinv(x); }, 1e-12, 8.8622692545275799582e-13},
    {"erfinv", [](double x) { return erfinv(x); }, 0.1, 0.088855990494257691974},
    {"erfinv", [](double x) { return erfinv(x); }, -0.5, -0.47693627620446987338},
    {"erfinv", [](double x) { return erfinv(x); }, 0.75, 0.81341984759761854169},
    {"erfinv", [](double x) { return erfinv(x); }, 0.999999, 3.4589107372754987775},
    {"erfinv", [](double x) { return erfinv(x); }, -0.9999999999999, -5.2614833313726762591},
    {"erfcinv", [](double x) { return erfcinv(x); }, 1e-300, 26.209469960516123886},
    {"erfcinv", [](double x) { return erfcinv(x); }, 1e-20, 6.6015806223551425656},
    {"erfcinv", [](double x) { return erfcinv(x); }, 0.01, 1.821386367718449668},
    {"erfcinv", [](double x) { return erfcinv(x); }, 0.6, 0.37080715859355795164},
    {"erfcinv", [](double x) { return erfcinv(x); }, 1.4, -0.37080715859355783874},
    {"erfcinv", [](double x) { return erfcinv(x); }, 1.999, -2.3267537655135465806},
    {"erfcx", [](double x) { return erfcx(x); }, -3.0, 16205.988853999586625},
    {"erfcx", [](double x) { return erfcx(x); }, 0.1, 0.89645697996912663666},
    {"erfcx", [](double x) { return erfcx(x); }, 2.5, 0.21080636406114358065},
    {"erfcx", [](double x) { return erfcx(x); }, 19.5, 0.028894903811938217647},
    {"erfcx", [](double x) { return erfcx(x); }, 25.0, 0.022549572432641358944},
    {"erfcx", [](double x) { return erfcx(x); }, 10000000000.0, 5.6418958354775628695e-11},
    {"normcdf", [](double x) { return normcdf(x); }, -37.0, 5.7255712225245768227e-300},
    {"normcdf", [](double x) { return normcdf(x); }, -5.3, 5.7901340399645941162e-8},
    {"normcdf", [](double x) { return normcdf(x); }, -0.1, 0.46017216272297101633},
    {"normcdf", [](double x) { return normcdf(x); }, 0.7, 0.75803634777692697138},
    {"normcdf", [](double x) { return normcdf(x); }, 6.0, 0.99999999901341235496},
    {"normcdfinv", [](double x) { return normcdfinv(x); }, 1e-250, -33.79958617269483747},
    {"normcdfinv", [](double x) { return normcdfinv(x); }, 1e-05, -4.2648907939228246102},
    {"normcdfinv", [](double x) { return normcdfinv(x); }, 0.3, -0.52440051270804081597},
    {"normcdfinv", [](double x) { return normcdfinv(x); }, 0.49999, -0.000025066282748960008527},
    {"cyl_bessel_i0", [](double x) { return cyl_bessel_i0(x); }, 0.1, 1.0025015629340956017},
    {"cyl_bessel_i0", [](double x) { return cyl_bessel_i0(x); }, -5.0, 27.239871823604446895},
    {"cyl_bessel_i0", [](double x) { return cyl_bessel_i0(x); }, 39.5, 9091504908730678.8869},
    {"cyl_bessel_i0", [](double x) { return cyl_bessel_i0(x); }, 41.0, 39988262828314355.975},
    {"cyl_bessel_i0", [](double x) { return cyl_bessel_i0(x); }, 600.0, 6.1463054039368448035e+258},
    {"cyl_bessel_i1", [](double x) { return cyl_bessel_i1(x); }, 0.1, 0.0500625260470926949},
    {"cyl_bessel_i1", [](double x) { return cyl_bessel_i1(x); }, -5.0, -24.335642142450527199},
    {"cyl_bessel_i1", [](double x) { return cyl_bessel_i1(x); }, 39.5, 8975674988589334.8221},
    {"cyl_bessel_i1", [](double x) { return cyl_bessel_i1(x); }, 41.0, 39497552100062309.335},
    {"cyl_bessel_i1", [](double x) { return cyl_bessel_i1(x); }, 600.0, 6.1411813450668919369e+258},
};

// Everything here is computed in long double, so it ends within one unit; CUDA allows 1 to 8.
TEST(MathFunctions, KnownValues) {
  for (const KnownValue& known : kKnownValues) {
    const double unit = std::nextafter(std::fabs(known.value), std::numeric_limits<double>::infinity()) -
                        std::fabs(known.value);
    EXPECT_LE(std::fabs(known.function(known.x) - known.value), unit) << known.name << "(" << known.x << ")";
  }
}

TEST(MathFunctions, FloatsRoundTheDoubleResult) {
  EXPECT_EQ(erfcxf(2.5f), static_cast<float>(erfcx(2.5)));
  EXPECT_EQ(sinpif(-1.75f), static_cast<float>(sinpi(-1.75)));
  EXPECT_EQ(erfinvf(-0.5f), static_cast<float>(erfinv(-0.5)));
  EXPECT_EQ(normcdff(0.75f), static_cast<float>(normcdf(0.75)));
  EXPECT_EQ(rcbrtf(7.0f), static_cast<float>(rcbrt(7.0)));
}

TEST(MathFunctions, EndsOfTheirRanges) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(erfinv(1.0), infinity);
  EXPECT_EQ(erfinv(-1.0), -infinity);
  EXPECT_TRUE(std::isnan(erfinv(1.5)));
  EXPECT_EQ(erfcinv(0.0), infinity);
  EXPECT_EQ(erfcinv(2.0), -infinity);
  EXPECT_EQ(normcdfinv(0.0), -infinity);
  EXPECT_EQ(normcdfinv(1.0), infinity);
  EXPECT_EQ(normcdfinv(0.5), 0.0);
  EXPECT_EQ(rsqrt(0.0), infinity);
  EXPECT_EQ(rsqrt(infinity), 0.0);
  EXPECT_TRUE(std::isnan(cyl_bessel_i0(std::nan(""))));
  EXPECT_TRUE(std::isnan(erfcx(std::nan(""))));
}

TEST(MathFunctions, HalfTurnsOfInfinityAndNaNAreNaN) {
  const double infinity = std::numeric_limits<double>::infinity();
  // Constants, which a compiler may fold into something undefined, and values that it cannot know.
  EXPECT_TRUE(std::isnan(sinpi(infinity)));
  EXPECT_TRUE(std::isnan(cospi(-infinity)));
  EXPECT_TRUE(std::isnan(sinpif(std::nanf(""))));
  for (const volatile double x : {infinity, -infinity, std::nan("")}) {
    EXPECT_TRUE(std::isnan(cuset_emulator::sine_of_pi(x)));
    EXPECT_TRUE(std::isnan(cuset_emulator::cosine_of_pi(x)));
  }
}

TEST(MathFunctions, HalfTurnsAreExact) {
  EXPECT_EQ(sinpi(1.0), 0.0);
  EXPECT_EQ(sinpi(0.5), 1.0);
  EXPECT_EQ(sinpi(-1.5), 1.0);
  EXPECT_EQ(cospi(0.5), 0.0);
  EXPECT_EQ(cospi(1.0), -1.0);
  EXPECT_EQ(cospi(1e300), 1.0);
  float sine, cosine;
  sincospif(0.25f, &sine, &cosine);
  EXPECT_EQ(sine, cosine);
}

TEST(MathFunctions, LengthsDoNotOverflow) {
  EXPECT_EQ(norm3d(3e300, 4e300, 0.0), 5e300);
  EXPECT_EQ(norm4df(1e30f, 1e30f, 1e30f, 1e30f), 2e30f);
  EXPECT_EQ(rhypot(3e-200, 4e-200), 1 / 5e-200);
  EXPECT_EQ(norm3d(std::nan(""), std::numeric_limits<double>::infinity(), 0.0),
            std::numeric_limits<double>::infinity());
  const double parts[] = {2.0, 3.0, 6.0};
  EXPECT_EQ(norm(3, parts), 7.0);
}

}  // namespace
